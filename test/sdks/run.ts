// Libraries of Python, Go and Java on three kinds of channels: npx tsx test/sdks/run.ts [--library NAME] [--channel openai|anthropic|gemini]
//
// Installs what they need (Python 3.11, Go, Java 17 with Maven; Python's packages are kept in ~/.cache/weir-sdks), plays each directly at the strict vendor whose
// format it speaks and through a built Weir, and writes SDKS.md from the last rows of all of them. Fails where Weir makes a
// difference.
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { NO_MODEL, WRONG_KEY } from '../vendors/vendor.ts'
import { differenceOf, faultOf, refusals, type Played } from './judge.ts'
import { keepRows, keptRows } from './kept-rows.ts'
import { nameOf, openLibrary, type Format, type Library } from './library.ts'
import { page, shortly, type Outcome, type Row } from './page.ts'
import { isLibrary } from './programs.ts'
import { homeOf, kinds, openStands, type Stand } from './stands.ts'

const PAGE = fileURLToPath(new URL('SDKS.md', import.meta.url))
const folder = new URL('libraries/', import.meta.url)
const { values } = parseArgs({ options: { library: { type: 'string' }, channel: { type: 'string' } } })
const files = readdirSync(folder).filter(isLibrary).toSorted()
const wanted = {
  files: files.filter((file) => nameOf(file) === (values.library ?? nameOf(file))),
  kinds: kinds.filter((kind) => kind === (values.channel ?? kind)),
}

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Plays cases at a stand, one after another; a library that has no such thing in this format plays none. */
async function play(
  library: Library,
  format: Format,
  stand: Stand,
  cases: readonly string[],
): Promise<Map<string, Played>> {
  const played = new Map<string, Played>()
  for (const name of cases) {
    if (name === 'embeddings' && !stand.embedding) continue
    stand.front.forget()
    stand.vendor.forget()
    const seen = await library.play(refusals.includes(name) ? (library.cases[0] ?? '') : name, {
      format,
      root: stand.front.url,
      key: name === 'bad_key' ? WRONG_KEY : stand.key,
      model: name === 'unknown_model' ? NO_MODEL : stand.model,
      embedding: stand.embedding,
    })
    if (seen.gave || seen.error)
      played.set(name, { name, seen, passed: [...stand.front.passed], heard: [...stand.vendor.heard] })
  }
  return played
}

async function playFormat(library: Library, format: Format): Promise<Row> {
  const cases = [...library.cases, ...refusals]
  const direct = await play(library, format, stands.direct(format), cases)
  const row: Row = {
    library: `${library.name} ${library.version}`,
    format,
    direct: outcome(direct, faultOf),
    channels: {},
  }
  say(`${row.library}, ${format}: ${shown(row.direct)}`)
  for (const kind of wanted.kinds) {
    // Who refuses a key or a model is Weir itself, whatever the channel.
    const through = await play(
      library,
      format,
      stands.through(format, kind),
      homeOf[format] === kind ? cases : library.cases,
    )
    // What the library cannot do by itself it need not do through Weir.
    for (const name of Object.keys(row.direct.faults)) through.delete(name)
    row.channels[kind] = outcome(through, (one) =>
      differenceOf(one, direct.get(one.name) as Played, format, homeOf[format] === kind),
    )
    say(`  on ${kind}: ${shown(row.channels[kind])}`)
  }
  return row
}

const outcome = (played: Map<string, Played>, judge: (one: Played) => string | undefined): Outcome => ({
  played: [...played.keys()],
  faults: Object.fromEntries(
    [...played].flatMap(([name, one]) => [[name, judge(one)] as const].filter(([, fault]) => fault)),
  ) as Record<string, string>,
})

const shown = ({ played, faults }: Outcome): string => {
  const lines = Object.entries(faults).map(([name, fault]) => `\n    ${name}: ${shortly(fault)}`)
  return lines.length === 0 ? `ok (${played.length})` : lines.join('')
}

const stands = await openStands()
let differing = 0
/** Libraries that were not to be had, or died, with why. */
const missing: string[] = []
for (const file of wanted.files) {
  const name = nameOf(file)
  const library = await openLibrary(file).catch((error: Error) => void missing.push(`${name}: ${error.message}`))
  if (!library) continue
  const rows: Row[] = []
  try {
    for (const format of library.formats) rows.push(await playFormat(library, format))
    if (!values.channel) keepRows(name, rows)
  } catch (error) {
    missing.push(`${name}: ${String(error)}`)
  }
  differing += rows.filter(({ channels }) =>
    Object.values(channels).some(({ faults }) => Object.keys(faults).length > 0),
  ).length
  library.close()
}
await stands.close()

const rows = files.map((file) => keptRows(nameOf(file)))
if (!values.channel && rows.every((known) => known !== undefined)) writeFileSync(PAGE, page(rows.flat()))
for (const why of missing) say(`not played: ${shortly(why)}`)
say(`${differing} rows are not as without Weir, ${missing.length} libraries were not played`)
process.exitCode = differing + missing.length === 0 ? 0 : 1
