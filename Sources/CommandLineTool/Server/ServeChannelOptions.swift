import ArgumentParser
import CommandLineSupport
import Server

/// The operator's accounts at other services: a mail server, Apple's push service, an MQTT broker.
struct ServeChannelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Certificates to trust in place of the system's, PEM: of mail servers, channels and APNs.",
      valueName: "file"))
  var trustRoots: String?

  @Option(
    help: ArgumentHelp(
      """
      The mail server that takes mail; without it no mail is sent. The password stands in \
      PROXIMITY_SMTP_PASSWORD, the settings file or --smtp-password-file.
      """, valueName: "host"))
  var smtpHost: String?

  @Option(
    help: ArgumentHelp(
      "587 with starttls, 465 with implicit, 25 with none, if left out.", valueName: "number"))
  var smtpPort: String?

  @Option(help: ArgumentHelp("starttls, implicit or none; starttls if left out.", valueName: "word"))
  var smtpSecurity: String?

  @Option(help: ArgumentHelp("The account at the mail server.", valueName: "name"))
  var smtpUser: String?

  @Option(help: ArgumentHelp("A file whose first line is the account's password.", valueName: "file"))
  var smtpPasswordFile: String?

  @Option(help: ArgumentHelp("The address that mail comes from.", valueName: "address"))
  var smtpSender: String?

  @Option(
    help: ArgumentHelp("Apple's key for APNs (.p8); without it no APNs.", valueName: "file"))
  var apnsKeyFile: String?

  @Option(help: ArgumentHelp("The key's id, ten characters.", valueName: "id"))
  var apnsKeyId: String?

  @Option(help: ArgumentHelp("The developer team's id, ten characters.", valueName: "id"))
  var apnsTeamId: String?

  @Option(help: ArgumentHelp("The app's bundle identifier, where a channel names none.", valueName: "name"))
  var apnsTopic: String?

  @Option(
    help: ArgumentHelp("Another host than Apple's for the device's environment.", valueName: "url"))
  var apnsHost: String?

  @Option(
    help: ArgumentHelp(
      """
      The MQTT broker on which OwnTracks phones publish, such as mqtts://user@broker.example.org:8883. The password \
      stands in --mqtt-password-file, or in the address if PROXIMITY_MQTT or the settings file holds it.
      """, valueName: "url"))
  var mqtt: String?

  @Option(
    help: ArgumentHelp("A file whose first line is the password at the broker.", valueName: "file"))
  var mqttPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "The first level of the topics under which this server publishes; proximity if left out.",
      valueName: "level"))
  var mqttTopic: String?

  var flags: [(ServerSettings.Key, String?)] {
    [
      (.trustRoots, trustRoots), (.smtpHost, smtpHost), (.smtpPort, smtpPort),
      (.smtpSecurity, smtpSecurity), (.smtpUser, smtpUser), (.smtpPasswordFile, smtpPasswordFile),
      (.smtpSender, smtpSender), (.apnsKeyFile, apnsKeyFile), (.apnsKeyID, apnsKeyId),
      (.apnsTeamID, apnsTeamId), (.apnsTopic, apnsTopic), (.apnsHost, apnsHost), (.mqtt, mqtt),
      (.mqttPasswordFile, mqttPasswordFile),
      (.mqttTopic, mqttTopic),
    ]
  }
}
