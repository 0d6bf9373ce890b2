package io.github.fourinarow

import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.WRITE
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.ConcurrentHashMap
import kotlinx.serialization.json.Json

/**
 * Keeps the tokens of players; whoever has a token is the player. A key is the base URL without a slash at its end, with
 * `#` and the profile's name where there is one. It is called from background threads, and may take its time.
 */
interface TokenStore {
    fun get(key: String): String?

    fun set(key: String, token: String)

    fun clear(key: String)
}

/** Keeps tokens until the program ends. */
class MemoryTokens : TokenStore {
    private val tokens = ConcurrentHashMap<String, String>()

    override fun get(key: String): String? = tokens[key]

    override fun set(key: String, token: String) {
        tokens[key] = token
    }

    override fun clear(key: String) {
        tokens.remove(key)
    }
}

/** Keeps tokens in a file that its owner alone may read. It is replaced whole, and several processes may share it. */
class FileTokens(path: Path) : TokenStore {
    private val file = path.toAbsolutePath()

    override fun get(key: String): String? = read()[key]

    override fun set(key: String, token: String) = change { it + (key to token) }

    override fun clear(key: String) = change { it - key }

    private fun read(): Map<String, String> = try {
        Json.decodeFromString(String(Files.readAllBytes(file)))
    } catch (_: NoSuchFileException) {
        emptyMap()
    }

    private fun change(edit: (Map<String, String>) -> Map<String, String>): Unit = synchronized(Companion) {
        Files.createDirectories(file.parent)
        FileChannel.open(file.resolveSibling("${file.fileName}.lock"), CREATE, WRITE).use { lock ->
            lock.lock()
            val owned = if ("posix" in file.fileSystem.supportedFileAttributeViews()) arrayOf(OWNERS) else emptyArray()
            val new = Files.createTempFile(file.parent, "${file.fileName}.", ".new", *owned)
            try {
                Files.write(new, Json.encodeToString(edit(read())).toByteArray())
                Files.move(new, file, ATOMIC_MOVE)
            } finally {
                Files.deleteIfExists(new)
            }
        }
    }

    private companion object {
        val OWNERS = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    }
}
