import Foundation

/// The app's own texts in the languages of the page. `{0}` is replaced by a value.
enum Translations {
  static let languages = ["de", "fr", "es", "ja"]

  /// The language. Set once, at the start of the process, before any text is used.
  nonisolated(unsafe) private(set) static var language = "en"

  /// Chooses the first of the person's languages that the app has; else English.
  @MainActor static func choose() {
    let wanted = Platform.languages.lazy.compactMap { tag in tag.split(separator: "-").first.map(String.init)
    }
    language = wanted.first { $0 == "en" || languages.contains($0) } ?? "en"
  }

  static func said(_ english: String, _ value: String = "") -> String {
    let place = languages.firstIndex(of: language)
    let words = place.flatMap { table[english]?[$0] } ?? english
    return words.replacingOccurrences(of: "{0}", with: value)
  }

  /// The translations of the English texts: German, French, Spanish, Japanese.
  static let table: [String: [String]] = [
    "Alarm": ["Alarm", "Alarme", "Alarma", "アラーム"],
    "Stop": ["Beenden", "Arrêter", "Parar", "停止"],
    "Sleep": ["Schlummern", "Reporter", "Posponer", "スヌーズ"],
    "Close": ["Schließen", "Fermer", "Cerrar", "閉じる"],
    "You may be inside.": [
      "Du könntest darin sein.", "Vous y êtes peut-être.", "Puede que estés dentro.", "ゾーン内かもしれません。",
    ],
    "A message is ready": [
      "Eine Nachricht ist bereit", "Un message est prêt", "Hay un mensaje listo", "メッセージの準備ができました",
    ],
    "Open the app to look at it and to send it.": [
      "Öffne die App, um sie anzusehen und zu senden.", "Ouvrez l’app pour le lire et l’envoyer.",
      "Abre la app para verlo y enviarlo.", "アプリを開いて確認し、送信してください。",
    ],
    "Your positions are no longer reported": [
      "Deine Positionen werden nicht mehr gemeldet", "Vos positions ne sont plus transmises",
      "Tus posiciones ya no se comunican", "位置の報告が止まりました",
    ],
    "The server refuses this phone. Make a new link there, and paste it in the app.": [
      "Der Server weist dieses Telefon ab. Erstelle dort einen neuen Link und füge ihn in der App ein.",
      "Le serveur refuse ce téléphone. Créez-y un nouveau lien et collez-le dans l’app.",
      "El servidor rechaza este teléfono. Crea allí un enlace nuevo y pégalo en la app.",
      "サーバーがこの端末を拒否しています。サーバーで新しいリンクを作り、アプリに貼り付けてください。",
    ],
    "The phone’s keychain fails with {0}. Make a new link on the server, and paste it in the app.": [
      "Der Schlüsselbund des Telefons meldet {0}. Erstelle auf dem Server einen neuen Link und füge ihn in der App ein.",
      "Le trousseau du téléphone échoue avec {0}. Créez un nouveau lien sur le serveur et collez-le dans l’app.",
      "El llavero del teléfono falla con {0}. Crea un enlace nuevo en el servidor y pégalo en la app.",
      "端末のキーチェーンがエラー {0} を返しました。サーバーで新しいリンクを作り、アプリに貼り付けてください。",
    ],
    "This is how an alarm rings": [
      "So klingelt ein Alarm", "Voici comment sonne une alarme", "Así suena una alarma", "アラームはこのように鳴ります",
    ],
    "If you hear nothing, look at the volume and at Focus.": [
      "Wenn du nichts hörst, sieh nach der Lautstärke und dem Fokus.",
      "Si vous n’entendez rien, vérifiez le volume et le mode de concentration.",
      "Si no oyes nada, revisa el volumen y el modo de concentración.", "聞こえないときは、音量と集中モードを確認してください。",
    ],
    "Your alarms are no longer watched": [
      "Deine Alarme werden nicht mehr überwacht", "Vos alarmes ne sont plus surveillées",
      "Tus alarmas ya no se vigilan", "アラームの監視が止まりました",
    ],
    "The phone has not let the app run. Open it, and it watches again.": [
      "Das Telefon hat die App nicht laufen lassen. Öffne sie, und sie überwacht wieder.",
      "Le téléphone n’a pas laissé l’app fonctionner. Ouvrez-la et elle surveille de nouveau.",
      "El teléfono no ha dejado que la app funcione. Ábrela y volverá a vigilar.",
      "端末がアプリを動かしませんでした。開くと監視を再開します。",
    ],
    "An alarm may come late": [
      "Ein Alarm kann zu spät kommen", "Une alarme peut tarder", "Una alarma puede llegar tarde",
      "アラームが遅れることがあります",
    ],
    "Your alarms are not watched": [
      "Deine Alarme werden nicht überwacht", "Vos alarmes ne sont pas surveillées",
      "Tus alarmas no se vigilan",
      "アラームは監視されていません",
    ],
    "What the app had kept cannot be read. Open it and look at your zones.": [
      "Was die App gespeichert hatte, ist nicht lesbar. Öffne sie und prüfe deine Zonen.",
      "Ce que l’app avait gardé est illisible. Ouvrez-la et vérifiez vos zones.",
      "Lo que la app había guardado no se puede leer. Ábrela y revisa tus zonas.",
      "保存した内容を読めません。アプリを開いてゾーンを確認してください。",
    ],
    "Unlock the phone once: after a restart nothing can be read before.": [
      "Entsperre das Telefon einmal: nach einem Neustart ist vorher nichts lesbar.",
      "Déverrouillez le téléphone une fois : après un redémarrage, rien n’est lisible avant.",
      "Desbloquea el teléfono una vez: tras reiniciar no se puede leer nada antes.",
      "一度ロックを解除してください。再起動後は、解除するまで何も読めません。",
    ],
    "What happens cannot be kept on the phone: {0}": [
      "Was geschieht, kann auf dem Telefon nicht gespeichert werden: {0}",
      "Ce qui se passe ne peut être gardé sur le téléphone : {0}",
      "Lo que ocurre no se puede guardar en el teléfono: {0}", "端末に記録を保存できません：{0}",
    ],
    "You are there.": ["Du bist da.", "Vous y êtes.", "Has llegado.", "到着しました。"],
    "You are near, {0} m away.": [
      "Du bist nah, noch {0} m.", "Vous êtes tout près, à {0} m.", "Estás cerca, a {0} m.",
      "近くにいます。あと {0} m です。",
    ],
    "You passed through.": [
      "Du bist hindurchgekommen.", "Vous êtes passé par là.", "Has pasado por ella.", "通過しました。",
    ],
    "You have been here for a while.": [
      "Du bist schon eine Weile hier.", "Vous êtes ici depuis un moment.", "Llevas aquí un rato.",
      "しばらくここにいます。",
    ],
    "You have left.": ["Du bist hinausgegangen.", "Vous êtes sorti.", "Has salido.", "ゾーンを出ました。"],
    "You may be inside, {0} m away.": [
      "Du könntest darin sein, {0} m entfernt.", "Vous y êtes peut-être, à {0} m.",
      "Puede que estés dentro, a {0} m.",
      "ゾーン内かもしれません（{0} m）。",
    ],
    "No position comes, and the zone was only {0} m away.": [
      "Es kommt keine Position, und die Zone war nur {0} m entfernt.",
      "Aucune position n’arrive, et la zone n’était qu’à {0} m.",
      "No llega ninguna posición, y la zona estaba a solo {0} m.", "位置が得られません。ゾーンまで {0} m でした。",
    ],
    "No position comes. By now you may be inside {0}.": [
      "Es kommt keine Position. Du könntest jetzt darin sein: {0}.",
      "Aucune position n’arrive. Vous y êtes peut-être déjà : {0}.",
      "No llega ninguna posición. Puede que ya estés dentro: {0}.", "位置が得られません。すでに中にいるかもしれません：{0}",
    ],
    "a safety zone": ["eine Sicherheitszone", "une zone de sécurité", "una zona de seguridad", "安全ゾーン"],
    "Wi-Fi is off. Alarms need more battery, and may come later.": [
      "WLAN ist aus. Alarme kosten mehr Akku und können später kommen.",
      "Le Wi-Fi est désactivé. Les alarmes coûtent plus de batterie et peuvent tarder.",
      "El wifi está desactivado. Las alarmas gastan más batería y pueden tardar.",
      "Wi-Fi がオフです。電池を多く使い、アラームが遅れることがあります。",
    ],
    "Alarms cannot ring: location is not allowed": [
      "Alarme können nicht klingeln: Standort nicht erlaubt",
      "Les alarmes ne peuvent pas sonner : position non autorisée",
      "Las alarmas no pueden sonar: ubicación no permitida", "アラームは鳴りません：位置情報が許可されていません",
    ],
    "Alarms may be missed: location only while the app is used": [
      "Alarme können ausbleiben: Standort nur beim Verwenden",
      "Des alarmes peuvent manquer : position seulement avec l’app ouverte",
      "Pueden faltar alarmas: ubicación solo al usar la app", "鳴らないことがあります：位置情報はアプリの使用中のみです",
    ],
    "Alarms cannot be exact: Precise Location is off": [
      "Alarme sind ungenau: Genauer Standort ist aus",
      "Alarmes imprécises : la position exacte est désactivée",
      "Alarmas inexactas: la ubicación exacta está desactivada", "アラームが不正確です：正確な位置情報がオフです",
    ],
    "Alarms cannot be seen: notifications are off": [
      "Alarme sind nicht zu sehen: Mitteilungen sind aus",
      "Alarmes invisibles : les notifications sont désactivées",
      "Las alarmas no se ven: las notificaciones están desactivadas", "アラームが見えません：通知がオフです",
    ],
    "A Focus can hide alarms: Time Sensitive Notifications are off": [
      "Ein Fokus kann Alarme verbergen: Dringliche Mitteilungen sind aus",
      "Un mode de concentration peut cacher des alarmes : notifications urgentes désactivées",
      "Un modo de concentración puede ocultar alarmas: notificaciones urgentes desactivadas",
      "集中モードで隠れることがあります：即時通知がオフです",
    ],
    "Alarms are silenced by the ring switch: alarms are not allowed": [
      "Der Stummschalter macht Alarme stumm: Wecker nicht erlaubt",
      "Le bouton silencieux coupe les alarmes : alarmes non autorisées",
      "El interruptor de silencio calla las alarmas: alarmas no permitidas", "消音スイッチで鳴らなくなります：アラームが許可されていません",
    ],
    "Low Power Mode: alarms may come later": [
      "Stromsparmodus: Alarme können später kommen", "Mode économie d’énergie : les alarmes peuvent tarder",
      "Modo de bajo consumo: las alarmas pueden tardar", "低電力モード：アラームが遅れることがあります",
    ],
    "Background App Refresh is off: alarms may come later": [
      "Hintergrundaktualisierung ist aus: Alarme können später kommen",
      "Actualisation en arrière-plan désactivée : les alarmes peuvent tarder",
      "Actualización en segundo plano desactivada: las alarmas pueden tardar",
      "バックグラウンド更新がオフです：アラームが遅れることがあります",
    ],
    "Settings, Proximity, Location: choose Always.": [
      "Einstellungen, Proximity, Standort: Immer wählen.",
      "Réglages, Proximity, Position : choisissez Toujours.",
      "Ajustes, Proximity, Ubicación: elige Siempre.", "設定、Proximity、位置情報で「常に」を選んでください。",
    ],
    "Settings, Proximity, Location: switch Precise Location on.": [
      "Einstellungen, Proximity, Standort: Genauer Standort einschalten.",
      "Réglages, Proximity, Position : activez Position exacte.",
      "Ajustes, Proximity, Ubicación: activa Ubicación exacta.",
      "設定、Proximity、位置情報で「正確な位置情報」をオンにしてください。",
    ],
    "Settings, Proximity, Notifications: switch them on.": [
      "Einstellungen, Proximity, Mitteilungen: einschalten.",
      "Réglages, Proximity, Notifications : activez-les.",
      "Ajustes, Proximity, Notificaciones: actívalas.", "設定、Proximity、通知をオンにしてください。",
    ],
    "Settings, Proximity: allow alarms.": [
      "Einstellungen, Proximity: Wecker erlauben.", "Réglages, Proximity : autorisez les alarmes.",
      "Ajustes, Proximity: permite las alarmas.", "設定、Proximity でアラームを許可してください。",
    ],
    "Settings, Battery: switch Low Power Mode off while an alarm matters.": [
      "Einstellungen, Batterie: Stromsparmodus ausschalten, solange ein Alarm zählt.",
      "Réglages, Batterie : désactivez le mode économie d’énergie tant qu’une alarme compte.",
      "Ajustes, Batería: desactiva el modo de bajo consumo mientras importe una alarma.",
      "設定、バッテリーで、アラームが大切な間は低電力モードをオフにしてください。",
    ],
    "Settings, General, Background App Refresh: switch it on.": [
      "Einstellungen, Allgemein, Hintergrundaktualisierung: einschalten.",
      "Réglages, Général, Actualisation en arrière-plan : activez-la.",
      "Ajustes, General, Actualización en segundo plano: actívala.", "設定、一般、アプリのバックグラウンド更新をオンにしてください。",
    ],
  ]
}
