// `weir call`: any endpoint of the management API by its name.
import { type EventReply, isEventReply, isFileReply } from '../../core/contract/replies.ts'
import type { EndpointAccess } from '../../core/contract/endpoint.ts'
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import { command } from '../command.ts'
import type { CallableEndpoint } from '../input/callable-endpoint.ts'
import { callableEndpoints } from '../input/call-endpoints.built.ts'
import { buildEndpointInput } from '../input/endpoint-input.ts'
import { UsageError } from '../failure.ts'
import { readValueOrInput } from '../input/flags.ts'
import { asUntranslatedText, concatTexts } from '../language.ts'
import { words } from '../texts.ts'
import { list, text, word, type OutputView } from '../output/view.ts'
import { toFullKey } from '../../core/tokens/token.ts'

/** Returns the value with the prefix added to the API token keys at those places, as clients send them. */
export const withFullKeys = (places: readonly (readonly string[])[], value: unknown): unknown =>
  places.reduce<unknown>((reply, place) => withFullKey(place, reply), value)

function withFullKey(place: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withFullKey(place, one))
  const [name, ...rest] = place
  if (name === undefined) return typeof value === 'string' ? toFullKey(value) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: withFullKey(rest, (value as Record<string, unknown>)[name]) }
}

/** Returns the ids in a reply: of one row, of a list, of a page; null if it has no id. */
export function listIds(reply: unknown): (string | number)[] | null {
  if (Array.isArray(reply)) {
    const ids = reply.map(listIds)
    return ids.length > 0 && ids.every((each) => each !== null) ? ids.flat() : null
  }
  if (typeof reply !== 'object' || reply === null) return null
  const { id, items, data = items } = reply as { id?: unknown; items?: unknown; data?: unknown }
  if (typeof id === 'number' || typeof id === 'string') return [id]
  return Array.isArray(data) ? listIds(data) : null
}

interface NamedEndpoint extends Omit<CallableEndpoint, 'fields' | 'keyPlaces'> {
  name: string
  fields: string[]
}

const WHO: Record<EndpointAccess, Words> = {
  public: words('all users'),
  user: words('users'),
  admin: words('admins'),
  root: words('root'),
}

const endpointView: OutputView<NamedEndpoint> = {
  name: text(words('ENDPOINT'), 1, ({ name }) => name, { tone: () => 'strong' }),
  method: text(words('METHOD'), 0, ({ method }) => method),
  path: text(words('PATH'), 0, ({ path }) => path),
  access: word(words('FOR'), 3, WHO, ({ access }) => access),
  summary: text(words('WHAT IT DOES'), 2, ({ summary }) => summary.en, {
    flexible: true,
    shown: ({ summary }, { language }) => summary[language],
  }),
  fields: list(words('FIELDS'), 4, ({ fields }) => fields, {
    flexible: true,
    shown: ({ fields }) => fields.map((name) => `--${name}`).join(' '),
    tone: () => 'faint',
  }),
}

export const callCommand = command({
  name: 'call',
  summary: words('Call any endpoint by name; without a name list them'),
  details: concatTexts([
    words('Examples:'),
    asUntranslatedText('  weir call quota.verify'),
    asUntranslatedText('  weir call users.create --username ada --password "a long word"'),
    asUntranslatedText('  weir call channels.update --data-json \'{"id": 1, "weight": 5}\''),
    asUntranslatedText('  weir call logs.export --format jsonl > log.jsonl'),
    asUntranslatedText(''),
    words('The fields of an endpoint: weir docs endpoints'),
  ]),
  arguments: {
    endpoint: { spec: '[endpoint]', help: words('name, such as tokens.list') },
    rest: { spec: '[fields...]', help: words('--field value for each field') },
  },
  options: {
    dataJson: {
      flag: '--data-json <json>',
      help: words('fields as one JSON object; - reads it from standard input'),
    },
  },
  anyOptions: true,
  output: { view: endpointView, many: true },
  async run({ connection, print, args, options, readInput }) {
    if (args.endpoint === undefined) return print.list(everyEndpoint(), endpointView)
    if (!Object.hasOwn(callableEndpoints, args.endpoint)) throw new UsageError(unknown(args.endpoint))
    const { fields, keyPlaces } = callableEndpoints[args.endpoint]!
    const input = buildEndpointInput(fields, args.rest, await readValueOrInput(options.dataJson, readInput))
    const { send } = await connection()
    const reply = await send(args.endpoint, input)
    // The reply is data in every mode: files and texts stay what they are, everything else is JSON.
    if (isFileReply(reply)) return print.file(reply.pieces)
    if (isEventReply(reply)) return print.file(formatEvents(reply))
    if (typeof reply === 'string') return print.text(reply, reply)
    // A reply that only confirms the action is printed as the id from its input.
    const ids = print.quiet && !print.json ? listIds(reply ?? input) : null
    if (ids) return print.text(ids.join('\n'), ids)
    const shown = withFullKeys(keyPlaces, reply ?? null)
    await print.text(JSON.stringify(shown, null, 2), shown)
  },
})

/** Formats an endless event stream, one event a line. */
async function* formatEvents({ events }: EventReply): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`
}

const everyEndpoint = (): NamedEndpoint[] =>
  Object.entries(callableEndpoints).map(([name, { method, path, access, summary, fields }]) => ({
    name,
    method,
    path,
    access,
    summary,
    fields: fields.map((field) => field.name),
  }))

function unknown(name: string): Words {
  const [feature = '', operation = ''] = name.toLowerCase().split('.')
  const near = Object.keys(callableEndpoints)
    .filter((one) => one.startsWith(`${feature}.`) || (operation !== '' && one.toLowerCase().endsWith(`.${operation}`)))
    .slice(0, 6)
  return near.length > 0
    ? fillTemplate(words('Unknown endpoint {name}: did you mean {near}?'), { name, near: joinList(near) })
    : fillTemplate(words('Unknown endpoint {name}: `weir call` lists them all.'), { name })
}
