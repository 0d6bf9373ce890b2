package io.github.fourinarow

import io.github.fourinarow.models.BoardPosition
import io.github.fourinarow.models.DeviceCode
import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import io.github.fourinarow.models.OpenTableRequest
import io.github.fourinarow.models.OwnProfile
import io.github.fourinarow.models.PlayedGame
import io.github.fourinarow.models.PresenceChoice
import io.github.fourinarow.models.QuickMatchRequest
import java.io.IOException
import java.util.UUID
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.function.Consumer
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.future

/**
 * [FourInARow] for Java, in futures: cancelling one ends its request at once, and [await] waits for one. What they do is said
 * there.
 */
class FourInARowFutures internal constructor(private val four: FourInARow) {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

    private fun <T> future(block: suspend () -> T): CompletableFuture<T> = scope.future { block() }

    private fun nothing(block: suspend () -> Unit): CompletableFuture<Void?> = scope.future {
        block()
        null
    }

    @JvmOverloads
    fun signIn(name: String? = null, locale: String? = null, replaceRevoked: Boolean = false): CompletableFuture<OwnProfile> =
        future { four.signIn(name, locale, replaceRevoked = replaceRevoked) }

    fun me(): CompletableFuture<OwnProfile> = future { four.me() }

    fun deleteMe(): CompletableFuture<Void?> = nothing { four.deleteMe() }

    @JvmOverloads
    fun quickMatch(request: QuickMatchRequest = QuickMatchRequest()): CompletableFuture<GameTable> =
        future { four.quickMatch(request) }

    fun stopQuickMatch(): CompletableFuture<Void?> = nothing { four.stopQuickMatch() }

    @JvmOverloads
    fun openTable(request: OpenTableRequest = OpenTableRequest()): CompletableFuture<GameTable> =
        future { four.tables.open(request) }

    fun table(tableId: UUID): CompletableFuture<GameTable> = future { four.tables.get(tableId) }

    fun tables(): CompletableFuture<List<GameTable>> = future { four.tables.mine() }

    fun join(tableId: UUID): CompletableFuture<GameTable> = future { four.tables.join(tableId) }

    fun joinByInvitation(inviteCode: String): CompletableFuture<GameTable> = future { four.tables.joinByInvitation(inviteCode) }

    fun leave(tableId: UUID): CompletableFuture<Void?> = nothing { four.tables.leave(tableId) }

    fun presence(tableId: UUID, state: PresenceChoice): CompletableFuture<GameTable> =
        future { four.tables.presence(tableId, state) }

    fun rematch(finished: Game): CompletableFuture<GameTable> = future { four.tables.rematch(finished) }

    fun withdrawRematch(finished: Game): CompletableFuture<GameTable> = future { four.tables.withdrawRematch(finished) }

    fun game(gameId: UUID): CompletableFuture<Game> = future { four.game(gameId) }

    fun move(game: Game, column: Int): CompletableFuture<MoveResult> = future { four.move(game, column) }

    fun resign(gameId: UUID): CompletableFuture<Game> = future { four.resign(gameId) }

    fun hint(gameId: UUID): CompletableFuture<BoardPosition> = future { four.hint(gameId) }

    @JvmOverloads
    fun picture(gameId: UUID, ply: Int? = null): CompletableFuture<String> = future { four.picture(gameId, ply) }

    /** All finished games of the player, the last first. */
    fun history(): CompletableFuture<List<PlayedGame>> = future { four.history().toList() }

    fun deviceCode(): CompletableFuture<DeviceCode> = future { four.devices.code() }

    fun useDeviceCode(code: String): CompletableFuture<OwnProfile> = future { four.devices.use(code) }

    /** Calls [onGame] with each state in turn, on another thread. The future completes after the last. */
    @JvmOverloads
    fun follow(game: Game, onGame: Consumer<Game>, onConnection: Consumer<Connection> = Consumer {}): CompletableFuture<Void?> =
        each(four.follow(game, onConnection::accept), onGame)

    /** Like [follow] of a game, with the table's games one after the other. */
    @JvmOverloads
    fun follow(
        table: GameTable,
        onGame: Consumer<Game>,
        onTable: Consumer<GameTable> = Consumer {},
        onConnection: Consumer<Connection> = Consumer {},
    ): CompletableFuture<Void?> = each(four.follow(table, onConnection::accept, onTable::accept), onGame)

    private fun each(games: Flow<Game>, onGame: Consumer<Game>) = nothing { games.collect { onGame.accept(it) } }

    /** Any operation: `call(api -> api.getInsights().getAnalysis(id))`. */
    fun <T> call(operation: Operation<T>): CompletableFuture<T> = future { four.call { operation.ask(this) } }

    fun interface Operation<T> {
        @Throws(IOException::class)
        fun ask(api: Api): T
    }

    companion object {
        /** Waits for a future; a thread that is interrupted cancels it. */
        @JvmStatic
        fun <T> await(future: CompletableFuture<T>): T = try {
            future.get()
        } catch (failed: ExecutionException) {
            throw failed.cause ?: failed
        } catch (cancelled: CancellationException) {
            throw ProblemException(ProblemException.CANCELLED, "The app cancelled it", cause = cancelled)
        } catch (interrupted: InterruptedException) {
            future.cancel(true)
            Thread.currentThread().interrupt()
            throw ProblemException(ProblemException.CANCELLED, "The thread was interrupted", cause = interrupted)
        }
    }
}
