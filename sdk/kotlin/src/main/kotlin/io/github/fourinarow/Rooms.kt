package io.github.fourinarow

import io.github.fourinarow.models.AgreeRematchRequest
import io.github.fourinarow.models.CreateDeviceTokenRequest
import io.github.fourinarow.models.DeviceCode
import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import io.github.fourinarow.models.OpenTableRequest
import io.github.fourinarow.models.OwnProfile
import io.github.fourinarow.models.PresenceChoice
import io.github.fourinarow.models.SetPresenceRequest
import io.github.fourinarow.models.TakeSeatRequest
import java.util.UUID

/** Tables, and the caller's seat at them. */
class Tables internal constructor(private val asking: Asking) {
    /** Opens one table, however often it has to be sent. */
    suspend fun open(request: OpenTableRequest = OpenTableRequest()): GameTable {
        val named = if (request.clientRef == null) request.copy(clientRef = UUID.randomUUID()) else request
        return asking.ask { tables.openTable(named) }
    }

    suspend fun get(tableId: UUID): GameTable = asking.ask { tables.getTable(tableId) }

    /** The caller's open tables, those that wait for the caller first. */
    suspend fun mine(): List<GameTable> = asking.ask { me.listMyTables() }.items

    /** Looks at the table behind an invitation; takes no seat. */
    suspend fun invited(inviteCode: String): GameTable = asking.ask { invites.getInvite(inviteCode) }

    /** Takes the free seat, or comes back to one's own. */
    suspend fun join(tableId: UUID, request: TakeSeatRequest = TakeSeatRequest()): GameTable =
        asking.ask { seats.takeSeat(tableId, request) }

    /** Takes the free seat of the private table behind an invitation. */
    suspend fun joinByInvitation(inviteCode: String): GameTable = join(invited(inviteCode).id, TakeSeatRequest(inviteCode))

    suspend fun leave(tableId: UUID) = asking.ask { seats.leaveSeat(tableId) }

    /** Says that the caller is here or away; whoever follows is here, unless said. */
    suspend fun presence(tableId: UUID, state: PresenceChoice): GameTable =
        asking.ask { seats.setPresence(tableId, SetPresenceRequest(state)) }

    /** Agrees to another game after a finished one. */
    suspend fun rematch(finished: Game): GameTable =
        asking.ask { series.agreeRematch(finished.tableId, AgreeRematchRequest(finished.id)) }

    suspend fun withdrawRematch(finished: Game): GameTable = asking.ask { series.withdrawRematch(finished.tableId, finished.id) }
}

/** Other devices of the same player. */
class Devices internal constructor(private val asking: Asking) {
    /** A code for another device: good once and for ten minutes. */
    suspend fun code(): DeviceCode = asking.ask { devices.createDeviceCode() }

    /**
     * Makes this client another device of the player who has the code; a token that was stored before is replaced. It is sent
     * once, since a code works once: after a temporary problem ask for a new code.
     */
    suspend fun use(code: String, deviceName: String? = null): OwnProfile {
        val opened = asking.ask(0) { devices.createDeviceToken(CreateDeviceTokenRequest(code, deviceName)) }
        asking.setToken(opened.token)
        return opened.profile
    }
}
