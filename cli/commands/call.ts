// `weir call`: any endpoint of the management API by its name.
import { isFile } from '../../core/contract/download.ts'
import { isEventReply, type EventReply } from '../../core/contract/event-stream.ts'
import { endpoints } from '../../core/contracts.ts'
import { command } from '../command.ts'
import { endpointInput, fieldsOf } from '../endpoint-input.ts'
import { UsageError } from '../failure.ts'
import { valueOrInput } from '../input.ts'
import type { Printer } from '../output.ts'
import { idsIn, withFullKeys } from '../reply.ts'

export const call = command({
  name: 'call',
  summary: 'Call any endpoint by name; without a name list them',
  details: [
    'Examples:',
    '  weir call quota.verify',
    '  weir call users.create --username ada --password "a long word"',
    '  weir call channels.update --data-json \'{"id": 1, "weight": 5}\'',
    '  weir call logs.export --format jsonl > log.jsonl',
    '',
    'The fields of an endpoint: weir docs endpoints',
  ].join('\n'),
  arguments: {
    endpoint: { spec: '[endpoint]', help: 'name, such as tokens.list' },
    rest: { spec: '[fields...]', help: '--field value for each field' },
  },
  options: {
    dataJson: { flag: '--data-json <json>', help: 'fields as one JSON object; - reads it from standard input' },
  },
  anyOptions: true,
  async run({ connection, print, args, options, readInput }) {
    if (args.endpoint === undefined) return listEndpoints(print)
    const declared = endpoints.get(args.endpoint)
    if (!declared) throw new UsageError(`There is no endpoint ${args.endpoint}${near(args.endpoint)}`)
    const input = endpointInput(declared, args.rest, await valueOrInput(options.dataJson, readInput))
    const { send } = await connection()
    const reply = await send(args.endpoint, declared, input)
    // The reply is data in every mode: files and texts stay what they are, everything else is JSON.
    if (isFile(reply)) return print.file(reply.pieces)
    if (isEventReply(reply)) return print.file(linesOf(reply))
    if (typeof reply === 'string') return print.text(reply, reply)
    // What only says that it is done is told by the id of what it was done to.
    const ids = print.quiet && !print.json ? idsIn(reply ?? input) : null
    if (ids) return print.text(ids.join('\n'), ids)
    const shape = declared.beside ? declared.beside.extend({ data: declared.reply }) : declared.reply
    const shown = withFullKeys(shape, reply ?? null)
    await print.text(JSON.stringify(shown, null, 2), shown)
  },
})

/** What is told without an end: an event a line. */
async function* linesOf({ events }: EventReply): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`
}

async function listEndpoints(print: Printer): Promise<void> {
  const rows = [...endpoints].map(([name, { method, path, access, summary, ...rest }]) => ({
    name,
    method,
    path,
    access,
    summary,
    fields: fieldsOf({ method, path, access, summary, ...rest }).map((field) => field.name),
  }))
  await print.rows(
    rows,
    [
      { title: 'ENDPOINT', rank: 1, value: ({ name }) => name, tone: () => 'strong' },
      { title: 'ACCESS', rank: 3, value: ({ access }) => access },
      { title: 'WHAT IT DOES', rank: 2, flexible: true, value: ({ summary }) => summary },
      {
        title: 'FIELDS',
        rank: 4,
        flexible: true,
        value: ({ fields }) => fields.map((name) => `--${name}`).join(' '),
        tone: () => 'faint',
      },
    ],
    { empty: 'No endpoints.' },
  )
}

function near(name: string): string {
  const [feature = '', operation = ''] = name.toLowerCase().split('.')
  const found = [...endpoints.keys()].filter(
    (one) => one.startsWith(`${feature}.`) || (operation !== '' && one.toLowerCase().endsWith(`.${operation}`)),
  )
  return found.length > 0 ? `: did you mean ${found.slice(0, 6).join(', ')}?` : ': `weir call` lists them all.'
}
