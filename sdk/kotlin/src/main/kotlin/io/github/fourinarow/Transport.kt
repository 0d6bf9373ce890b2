package io.github.fourinarow

import io.github.fourinarow.ProblemException.Companion.CANCELLED
import io.github.fourinarow.ProblemException.Companion.CONNECTION_FAILED
import io.github.fourinarow.ProblemException.Companion.TIMED_OUT
import io.github.fourinarow.infrastructure.Serializer
import io.github.fourinarow.models.Problem
import java.io.IOException
import java.net.SocketTimeoutException
import java.time.Duration
import java.time.Instant
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter
import java.time.format.DateTimeParseException
import kotlinx.serialization.SerializationException
import okhttp3.Call
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response

/** Sends one request of the generated client, and can cancel it. What isn't the service's success is a [ProblemException]. */
internal class Transport(private val http: OkHttpClient, private val token: String?) : Call.Factory {
    @Volatile private var sent: Call? = null
    @Volatile private var cancelled = false

    /** The tag of the last answer. */
    @Volatile var tag: String? = null
        private set

    fun cancel() {
        cancelled = true
        sent?.cancel()
    }

    override fun newCall(request: Request): Call {
        val signed = if (token == null) request else request.newBuilder().header("Authorization", "Bearer $token").build()
        val call = http.newCall(signed)
        sent = call
        if (cancelled) {
            call.cancel()
        }
        return Judged(call)
    }

    private inner class Judged(private val call: Call) : Call by call {
        override fun execute(): Response {
            val answer = call.execute()
            try {
                judge(answer)
            } catch (other: Exception) {
                answer.close()
                throw other
            }
            return answer
        }
    }

    private fun judge(answer: Response) {
        tag = answer.header("ETag")
        if (answer.code == 304) {
            throw Unchanged()
        }
        if (!answer.isSuccessful) {
            throw problemOf(answer)
        }
        val page = answer.body?.contentType()?.subtype == "html"
        if (page || answer.code != 204 && !answer.peekBody(1).source().request(1)) {
            throw notTheService("It answered with ${answer.code} and no JSON", answer.code)
        }
    }
}

/** What has the asked-for tag has not changed. */
internal class Unchanged : RuntimeException(null, null, false, false)

/** What became of a request that ended with this. */
internal fun problemOf(failure: Throwable): Throwable = when (failure) {
    is SocketTimeoutException -> ProblemException(TIMED_OUT, "There was no answer in time", failure.message, cause = failure)
    is IOException -> if (failure.message == "Canceled") {
        ProblemException(CANCELLED, "The app cancelled it", cause = failure)
    } else {
        ProblemException(CONNECTION_FAILED, "The service could not be reached", "$failure", cause = failure)
    }
    is SerializationException -> notTheService("Its answer is another than expected: ${failure.message}", cause = failure)
    else -> failure
}

private fun problemOf(answer: Response): ProblemException {
    val status = answer.code
    val body = answer.peekBody(MAX_PROBLEM).string()
    val problem = try {
        Serializer.kotlinxSerializationJson.decodeFromString<Problem>(body)
    } catch (_: SerializationException) {
        null
    }
    val retryAfter = problem?.retryAfterMs ?: answer.header("Retry-After")?.let(::milliseconds)
    return when {
        problem != null && problem.status == 404 && problem.instance == "" ->
            notTheService("There is no such path: a base URL ends before /v1", status)
        problem != null -> ProblemException(problem.code, problem.title, problem.detail, status, retryAfter, problem)
        status in 502..504 ->
            ProblemException(CONNECTION_FAILED, "A gateway answered with $status", null, status, retryAfter)
        status in 300..399 -> notTheService("It sends to ${answer.header("Location")}: is that the base URL?", status)
        else -> notTheService("It answered with $status", status, retryAfter)
    }
}

private const val MAX_PROBLEM = 1L shl 20

/** Of a Retry-After, which gateways write in seconds or as a date. */
private fun milliseconds(retryAfter: String): Long? {
    retryAfter.toLongOrNull()?.let { return (it * 1000).coerceAtLeast(0) }
    return try {
        val at = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()
        Duration.between(Instant.now(), at).toMillis().coerceAtLeast(0)
    } catch (_: DateTimeParseException) {
        null
    }
}
