// Faults below the answer: connections and the framing of HTTP.
import { chunked, chunkedHead, firstHalf, head, LAST_CHUNK, rightPieces, sayChunks, typed } from './answers.ts'
import {
  BROKEN,
  cut,
  failing,
  fault,
  harmless,
  midway,
  SILENT,
  UNREACHABLE,
  UNREADABLE,
  WAITS,
  whole,
  type Fault,
} from './fault.ts'

export const connectionFaults: Fault[] = [
  failing('nobody listens', UNREACHABLE),
  failing('resets before its head', UNREACHABLE, (wire) => wire.reset()),
  failing('closes before its head', UNREACHABLE, (wire) => wire.end()),
  failing('resets in the middle of its head', UNREACHABLE, async (wire) => {
    await wire.say('HTTP/1.1 200 OK\r\ncontent-ty')
    wire.reset()
  }),
  failing('resets behind its head', BROKEN, async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    wire.reset()
  }),
  midway('resets in the middle of its answer', cut('bad_response'), BROKEN, async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    await sayChunks(wire, firstHalf(streamed))
    await wire.wait(50)
    wire.reset()
  }),
  midway('closes in the middle of its answer', cut('bad_response'), BROKEN, async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    await sayChunks(wire, firstHalf(streamed))
    wire.end()
  }),
  fault('stalls before its head', { stream: SILENT, plain: WAITS }, (wire) => wire.stall(), {
    rescued: { stream: true, plain: false },
  }),
  failing('stalls behind its head', SILENT, async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    await wire.stall()
  }),
  midway('stalls in the middle of its answer', cut('upstream_timeout'), SILENT, async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    await sayChunks(wire, firstHalf(streamed))
    await wire.stall()
  }),
  fault(
    'trickles: a byte at a time',
    { stream: whole(), plain: whole() },
    async (wire, streamed) => {
      await wire.say(chunkedHead(streamed))
      const bytes = Buffer.from(rightPieces(streamed).join(''))
      for (let at = 0; at < bytes.length; at++) await wire.say(chunked(bytes.subarray(at, at + 1)))
      await wire.say(LAST_CHUNK)
    },
    { slow: true },
  ),
  harmless('floods: everything in one packet', (wire, streamed) =>
    wire.say(
      chunkedHead(streamed) +
        rightPieces(streamed)
          .map((piece) => chunked(piece).toString())
          .join('') +
        LAST_CHUNK,
    ),
  ),
]

export const framingFaults: Fault[] = [
  failing('speaks no HTTP', UNREACHABLE, (wire) => wire.say('SSH-2.0-OpenSSH_9.2\r\n')),
  failing('sends a head of 64 KB', UNREACHABLE, (wire) => wire.say(head('200 OK', `x-long: ${'h'.repeat(65_536)}`))),
  failing('announces both a length and chunks', UNREACHABLE, (wire, streamed) =>
    wire.say(head('200 OK', typed(streamed), 'content-length: 5', 'transfer-encoding: chunked') + LAST_CHUNK),
  ),
  failing('writes a chunk size that is no number', BROKEN, (wire, streamed) =>
    wire.say(`${chunkedHead(streamed)}zz\r\nnonsense\r\n`),
  ),
  midway('announces more than it sends', cut('bad_response'), BROKEN, async (wire, streamed) => {
    await wire.say(head('200 OK', typed(streamed), 'content-length: 100000'))
    await wire.say(firstHalf(streamed).join(''))
    wire.end()
  }),
  midway('announces less than it sends', cut('bad_response'), UNREADABLE, async (wire, streamed) => {
    const begun = Buffer.from(firstHalf(streamed).join(''))
    await wire.say(head('200 OK', typed(streamed), `content-length: ${begun.length}`))
    await wire.say(begun)
    await wire.wait(50)
    await wire.say(rightPieces(streamed).join('').slice(begun.length))
    await wire.stall() // a connection that says what nobody asked for has to be closed
  }),
  harmless('sends a second answer nobody asked for', async (wire, streamed) => {
    const body = Buffer.from(rightPieces(streamed).join(''))
    await wire.say(head('200 OK', typed(streamed), `content-length: ${body.length}`))
    await wire.say(body)
    await wire.say(`HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison`)
    await wire.stall()
  }),
  harmless('sends early hints before its answer', async (wire, streamed) => {
    await wire.say('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')
    await wire.say(chunkedHead(streamed))
    await sayChunks(wire, rightPieces(streamed))
    await wire.say(LAST_CHUNK)
  }),
  harmless('cuts characters of several bytes in two', async (wire, streamed) => {
    await wire.say(chunkedHead(streamed))
    for (const piece of rightPieces(streamed)) {
      const bytes = Buffer.from(piece)
      const at = bytes.indexOf(0xc3) + 1
      await sayChunks(wire, at > 0 ? [bytes.subarray(0, at), bytes.subarray(at)] : [bytes])
    }
    await wire.say(LAST_CHUNK)
  }),
]
