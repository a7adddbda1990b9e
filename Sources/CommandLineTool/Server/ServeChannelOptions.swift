import ArgumentParser
import CommandLineSupport
import Server

/// The operator's accounts at other services: a mail server, Apple's push service, an MQTT broker.
struct ServeChannelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "CA certificates, PEM, to trust instead of the system's for mail servers, channels and APNs.",
      valueName: "file"))
  var trustRoots: String?

  @Option(
    help: ArgumentHelp(
      """
      The mail server for outgoing mail; without it no mail is sent. Its password is read from \
      PROXIMITY_SMTP_PASSWORD, the settings file or --smtp-password-file.
      """, valueName: "host"))
  var smtpHost: String?

  @Option(
    help: ArgumentHelp(
      "The mail server's port. Default: 587 with starttls, 465 with implicit, 25 with none.",
      valueName: "number"))
  var smtpPort: String?

  @Option(
    help: ArgumentHelp(
      "TLS to the mail server: starttls, implicit or none. Default: starttls.", valueName: "word"))
  var smtpSecurity: String?

  @Option(help: ArgumentHelp("The user name at the mail server.", valueName: "name"))
  var smtpUser: String?

  @Option(help: ArgumentHelp("A file with the mail server's password in its first line.", valueName: "file"))
  var smtpPasswordFile: String?

  @Option(help: ArgumentHelp("The sender's address.", valueName: "address"))
  var smtpSender: String?

  @Option(
    help: ArgumentHelp("Apple's key for APNs (.p8); without it, APNs is off.", valueName: "file"))
  var apnsKeyFile: String?

  @Option(help: ArgumentHelp("The key's id, ten characters.", valueName: "id"))
  var apnsKeyId: String?

  @Option(help: ArgumentHelp("The developer team's id, ten characters.", valueName: "id"))
  var apnsTeamId: String?

  @Option(help: ArgumentHelp("The app's bundle identifier, for channels that name none.", valueName: "name"))
  var apnsTopic: String?

  @Option(
    help: ArgumentHelp(
      "APNs server to use instead of Apple's for the device's environment.", valueName: "url"))
  var apnsHost: String?

  @Option(
    help: ArgumentHelp(
      """
      The MQTT broker on which OwnTracks phones publish, such as mqtts://user@broker.example.org:8883. The password is \
      read from --mqtt-password-file, or from the address if PROXIMITY_MQTT or the settings file holds it.
      """, valueName: "url"))
  var mqtt: String?

  @Option(
    help: ArgumentHelp("A file with the broker's password in its first line.", valueName: "file"))
  var mqttPasswordFile: String?

  @Option(
    help: ArgumentHelp(
      "The first level of the topics on which this server publishes. Default: proximity.",
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
