// Faults in the content of an answer: text, events, and whole answers of another type than declared.
import {
  answer,
  chunkedHead,
  event,
  firstHalf,
  head,
  HTML,
  LAST_CHUNK,
  OPENING,
  OVERLOADED,
  replying,
  rightPieces,
  said,
  sayChunks,
  stream,
  telling,
  TEXTS,
} from './answers.ts'
import { BROKEN, UNREADABLE, cut, failing, fault, harmless, midway, refused, whole, type Fault } from './fault.ts'

const SSE = 'text/event-stream'

/** `wörld` with a byte that stands in no character. */
const broken = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  const at = bytes.indexOf(0xc3)
  if (at >= 0) bytes[at] = 0xff
  return bytes
}

export const contentFaults: Fault[] = [
  harmless('streams where it was not asked to, and does not where it was', async (wire, streamed) => {
    await wire.say(chunkedHead(!streamed))
    await sayChunks(wire, rightPieces(!streamed))
    await wire.say(LAST_CHUNK)
  }),
  fault(
    'breaks UTF-8 inside a text',
    { stream: whole(), plain: UNREADABLE },
    telling((streamed) => rightPieces(streamed).map(broken)),
    { rescued: { stream: false, plain: true }, text: TEXTS.join('').replace('ö', '\uFFFD\uFFFD') },
  ),
  fault(
    'ends its events with CR alone',
    { stream: whole(), plain: whole() },
    telling((streamed) => rightPieces(streamed).map((piece) => (streamed ? piece.replaceAll('\n', '\r') : piece))),
  ),
  fault(
    'puts comments, unknown fields and a byte order mark into its stream',
    { stream: whole(), plain: whole() },
    telling((streamed) =>
      streamed ? ['\uFEFF', ...stream().flatMap((piece) => [': comment\n\nid: 7\nretry: 5\n', piece])] : [answer()],
    ),
  ),
  fault(
    'puts an event that is no JSON into its stream',
    { stream: whole(), plain: whole() },
    telling((streamed) =>
      streamed ? [OPENING, said(TEXTS[0]), event('{"choices":[{'), ...stream().slice(2)] : [answer()],
    ),
  ),
  midway(
    'ends without finish and end mark',
    cut('bad_response'),
    UNREADABLE,
    telling((streamed) => firstHalf(streamed)),
  ),
  fault(
    'ends without the end mark',
    { stream: whole(), plain: whole() },
    telling((streamed) => (streamed ? stream().slice(0, -1) : [answer()])),
  ),
  fault(
    'goes on behind the end mark',
    { stream: whole(), plain: whole() },
    telling((streamed) => (streamed ? [...stream(), said('more'), event({ error: { message: 'late' } })] : [answer()])),
  ),
  midway(
    'ends inside an event',
    cut('bad_response'),
    UNREADABLE,
    telling((streamed) => (streamed ? [...firstHalf(true), said(TEXTS[2]).slice(0, -12)] : firstHalf(false))),
  ),
  failing('answers with nothing', BROKEN, replying('200 OK', SSE, '')),
  failing('answers 204', UNREADABLE, (wire) => wire.say(head('204 No Content'))),
  failing('answers 200 with a page of HTML', UNREADABLE, replying('200 OK', 'text/html', HTML)),
  failing('answers 200 with an error', refused(502, 'overloaded'), replying('200 OK', 'application/json', OVERLOADED)),
  midway(
    'tells an error in the middle of its stream',
    cut('overloaded'),
    refused(502, 'overloaded'),
    telling((streamed) => (streamed ? [...firstHalf(true), event(OVERLOADED)] : [OVERLOADED])),
  ),
  failing('answers in gzip that nobody asked for', UNREADABLE, (wire) =>
    wire.say(
      head('200 OK', 'content-type: application/json', 'content-encoding: gzip', 'content-length: 4') + '\x1f\x07zz',
    ),
  ),
  failing('redirects to another place', refused(302, 'bad_response_status_code'), (wire) =>
    wire.say(head('302 Found', 'location: http://127.0.0.1:1/elsewhere', 'content-length: 0')),
  ),
]
