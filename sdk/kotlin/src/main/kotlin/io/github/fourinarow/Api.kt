package io.github.fourinarow

import io.github.fourinarow.apis.AdminApi
import io.github.fourinarow.apis.DevicesApi
import io.github.fourinarow.apis.GamesApi
import io.github.fourinarow.apis.HealthApi
import io.github.fourinarow.apis.InsightsApi
import io.github.fourinarow.apis.InvitesApi
import io.github.fourinarow.apis.MatchmakingApi
import io.github.fourinarow.apis.MeApi
import io.github.fourinarow.apis.ProfilesApi
import io.github.fourinarow.apis.RulesApi
import io.github.fourinarow.apis.SeatsApi
import io.github.fourinarow.apis.SeriesApi
import io.github.fourinarow.apis.ServiceApi
import io.github.fourinarow.apis.TablesApi
import okhttp3.Call

/** The generated client: every operation of the contract, for [FourInARow.call]. */
class Api internal constructor(private val base: String, private val http: Call.Factory) {
    val admin: AdminApi get() = AdminApi(base, http)
    val devices: DevicesApi get() = DevicesApi(base, http)
    val games: GamesApi get() = GamesApi(base, http)
    val health: HealthApi get() = HealthApi(base, http)
    val insights: InsightsApi get() = InsightsApi(base, http)
    val invites: InvitesApi get() = InvitesApi(base, http)
    val matchmaking: MatchmakingApi get() = MatchmakingApi(base, http)
    val me: MeApi get() = MeApi(base, http)
    val profiles: ProfilesApi get() = ProfilesApi(base, http)
    val rules: RulesApi get() = RulesApi(base, http)
    val seats: SeatsApi get() = SeatsApi(base, http)
    val series: SeriesApi get() = SeriesApi(base, http)
    val service: ServiceApi get() = ServiceApi(base, http)
    val tables: TablesApi get() = TablesApi(base, http)
}
