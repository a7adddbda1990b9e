/// Every route of the server, in one place. Both the router and the OpenAPI document are made from it.
enum RouteTable {
  static func all(_ parts: ServerParts) -> [Route] {
    AccountRoutes.table + PasswordRoutes.table + AccountMailRoutes.table + DeviceRoutes.table
      + IdentityRoutes.table + MQTTRoutes.table + RawBodyRoutes.table + OnboardingRoutes.table
      + TokenRoutes.table + SecondFactorRoutes.table + OIDCRoutes.table + LoginIdentityRoutes.table
      + PasskeyRoutes.table + SignInCodeRoutes.table + AuditRoutes.table + PrivateRoutes.table
      + ShareRoutes.table + GroupRoutes.table + GroupAccountRoutes.table + DeputyRoutes.table
      + CompanionRoutes.table + SealedRoutes.table + ZoneRoutes.table
      + ZoneMailRoutes.table + CollectionRoutes.table + PackRoutes.table + PackKeyRoutes.table
      + MessageRoutes.table
      + SoundRoutes.table
      + ReminderRoutes.table + ReminderAnswerRoutes.table
      + PlaceRoutes.table + ChannelRoutes.table + AlarmRoutes.table + DistressRoutes.table
      + CheckInRoutes.table + ExpectedArrivalRoutes.table + LinkRoutes.table
      + NoticeLinkRoutes.table + HistoryRoutes.table + ImportRoutes.table + DayRoutes.table
      + SyncRoutes.table + NoticeRoutes.table + SettingRoutes.table + EventRoutes.table
      + OperationRoutes.table + FixRoutes.table + PhoneRoutes.table
      + StreetMapRoutes.table(parts.core.settings) + AndroidAppRoutes.table
      + PageRoutes.table(parts.operation.page)
  }
}
