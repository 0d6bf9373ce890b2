package io.github.fourinarow

import io.github.fourinarow.models.BoardPosition
import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import io.github.fourinarow.models.OpenProfileRequest
import io.github.fourinarow.models.OwnProfile
import io.github.fourinarow.models.PlayMoveRequest
import io.github.fourinarow.models.PlayedGame
import io.github.fourinarow.models.QuickMatchRequest
import io.github.fourinarow.models.Side
import java.io.File
import java.util.UUID
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import okhttp3.OkHttpClient

/** A move that was played, or why the game refused it. */
sealed interface MoveResult {
    /** The game as it is now. */
    val game: Game

    class Played internal constructor(override val game: Game) : MoveResult

    class Refused internal constructor(override val game: Game, val problem: ProblemException) : MoveResult
}

/**
 * One player of one service. What can't be done ends with a [ProblemException], but for [move], which gives the game's refusals
 * back. A request is sent again while its problem is temporary ([Timeouts]), and ends at once when its coroutine is cancelled.
 *
 * @param baseUrl what stands before `/v1`
 * @param tokens where the player's token is kept
 * @param profileName names one of several players of this store
 * @param http whose connections, proxy and interceptors are used; its read timeout and redirects are set here
 */
class FourInARow @JvmOverloads constructor(
    baseUrl: String,
    tokens: TokenStore = MemoryTokens(),
    profileName: String? = null,
    http: OkHttpClient = shared,
    timeouts: Timeouts = Timeouts(),
) {
    internal val asking = Asking(baseUrl, tokens, profileName, http, timeouts)
    private val signingIn = Mutex()

    val tables: Tables = Tables(asking)
    val devices: Devices = Devices(asking)

    /**
     * The player whose token is stored, or a new guest, whose token is stored then. A stored token that the service refuses is
     * the problem `unauthenticated`, unless it may be replaced ([replaceRevoked]): by a new player, who is none of the old one.
     */
    suspend fun signIn(
        displayName: String? = null,
        locale: String? = null,
        deviceName: String? = null,
        replaceRevoked: Boolean = false,
    ): OwnProfile = signingIn.withLock { // twice at once is one guest
        if (asking.token() != null) {
            try {
                return me()
            } catch (problem: ProblemException) {
                if (!(replaceRevoked && problem.status == 401)) {
                    throw problem
                }
            }
        }
        val opened = asking.ask { profiles.openProfile(openProfileRequest = OpenProfileRequest(displayName, deviceName, locale)) }
        asking.setToken(opened.token)
        opened.profile
    }

    suspend fun me(): OwnProfile = asking.ask { me.getMe() }

    /** Leaves for good and forgets the token. */
    suspend fun deleteMe() {
        var sent = 0
        try {
            asking.ask(by = asking.single) {
                sent++
                me.deleteMe()
            }
        } catch (problem: ProblemException) {
            if (sent == 1 || problem.status != 401) { // else the answer that got lost was the deletion's
                throw problem
            }
        }
        asking.setToken(null)
    }

    /** A table with a stranger, or one that waits for one: follow it. */
    suspend fun quickMatch(request: QuickMatchRequest = QuickMatchRequest()): GameTable =
        asking.ask { matchmaking.startQuickMatch(request) }

    suspend fun stopQuickMatch() = asking.ask { matchmaking.stopQuickMatch() }

    suspend fun game(gameId: UUID): Game = asking.ask { games.getGame(gameId) }

    /**
     * Plays the next ply of the game as it is given, once, however often it has to be sent until the answer comes. Where nothing
     * is known after [Timeouts.moveMs], it throws the last problem; the game says then whether it was played.
     *
     * @param column 1 to 7
     */
    suspend fun move(game: Game, column: Int): MoveResult = try {
        val played = asking.ask(asking.timeouts.moveMs) { games.playMove(game.id, PlayMoveRequest(column, game.ply + 1)) }
        MoveResult.Played(played)
    } catch (problem: ProblemException) {
        MoveResult.Refused(problem.game ?: throw problem, problem)
    }

    suspend fun resign(gameId: UUID): Game = asking.ask { games.resignGame(gameId) }

    /** What each column is worth, for the caller's turn. */
    suspend fun hint(gameId: UUID): BoardPosition = asking.ask { insights.requestHint(gameId) }

    /** The board as an SVG document, after [ply] plies where it is given. */
    suspend fun picture(gameId: UUID, ply: Int? = null): String = asking.ask {
        val file: File = games.getPicture(gameId, ply = ply)
        try {
            file.readText()
        } finally {
            file.delete()
        }
    }

    /** The finished games of a player, the last first; the caller's own unless said. */
    fun history(profileId: UUID? = null): Flow<PlayedGame> = flow {
        val id = profileId ?: me().id
        emitAll(pages { cursor -> profiles.listProfileGames(id, cursor = cursor).let { Page(it.items, it.nextCursor) } })
    }

    /** A page of a list, and what asks for the next one. */
    class Page<T>(val items: List<T>, val nextCursor: String?)

    /** The items of a list, page by page. */
    fun <T> pages(page: Api.(cursor: String?) -> Page<T>): Flow<T> = flow {
        var cursor: String? = null
        do {
            val asked = cursor
            val came = asking.ask { page(asked) }
            came.items.forEach { emit(it) }
            cursor = came.nextCursor
        } while (cursor != null)
    }

    /**
     * The states of a game, each newer than the one before, until it is over. It asks on while the collector is busy, so that the
     * player isn't taken for away; the collector finds the newest state then. It never ends because the service is away.
     */
    fun follow(game: Game, onConnection: (Connection) -> Unit = {}): Flow<Game> = followGame(game.id, game.version, onConnection)

    /** Like [follow] of a game. */
    fun followGame(gameId: UUID, version: Long = 0, onConnection: (Connection) -> Unit = {}): Flow<Game> =
        inBackground { emit -> Follower(asking, onConnection, {}, emit).game(gameId, version) }

    /**
     * The states of a table's games, one game after the other, until the table closes. [onTable] is told each state of the table
     * but for moves: that it waits, who wants a rematch. Where quick match moves the player to another table it goes on there.
     */
    fun follow(table: GameTable, onConnection: (Connection) -> Unit = {}, onTable: (GameTable) -> Unit = {}): Flow<Game> =
        followTable(table.id, table.version, onConnection, onTable)

    /** Like [follow] of a table. */
    fun followTable(
        tableId: UUID,
        version: Long = 0,
        onConnection: (Connection) -> Unit = {},
        onTable: (GameTable) -> Unit = {},
    ): Flow<Game> = inBackground { emit -> Follower(asking, onConnection, onTable, emit).table(tableId, version) }

    /**
     * Milliseconds left to a side for its move, never below 0; null while no clock runs for it. It counts from the moment at
     * which this client got the game, so the device's clock doesn't matter.
     */
    fun remaining(game: Game, side: Side): Long? = asking.remaining(game, side)

    /**
     * The answer of any operation: `four.call { insights.getAnalysis(id) }`. It is sent again while a problem is temporary, for
     * [repeatMs]; 0 for what must not happen twice.
     */
    suspend fun <T> call(repeatMs: Long = asking.timeouts.repeatMs, request: Api.() -> T): T = asking.ask(repeatMs, request = request)

    /** The same for Java. */
    fun futures(): FourInARowFutures = FourInARowFutures(this)

    private companion object {
        val shared by lazy { OkHttpClient() }
    }
}
