// `weir sign-in-services …`: OpenID Connect services with which users sign in, in addition to the built-in ones.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command, group, type Command, LIST_COMMAND } from '../command.ts'
import { UsageError } from '../failure.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { buildQuestion, parseFlagValues, toFlags, readValueOrInput } from '../input/flags.ts'
import { findByName } from '../nouns/names.ts'
import { refuseEmptyText } from '../nouns/questions.ts'
import { flag, text, type OutputView } from '../output/view.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'
import { loginServiceForm } from '../input/forms.built.ts'

type SignInService = Awaited<ReturnType<WeirClient['auth']['providerList']>>[number]

const serviceView: OutputView<Partial<SignInService>> = {
  id: text(words('ID'), 1, ({ id }) => id, { tone: () => 'strong', identifies: 1 }),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true }),
  enabled: flag(words('ENABLED'), 1, ({ enabled }) => enabled),
  well_known: text(words('WELL-KNOWN URL'), 2, (service) => service.well_known, { flexible: true }),
  client_id: text(words('CLIENT ID'), 3, (service) => service.client_id, { flexible: true }),
  scopes: text(words('SCOPES'), 4, ({ scopes }) => scopes, { flexible: true }),
}

const NONE = words('No sign-in services: `weir sign-in-services add` makes one.')

const list = command({
  endpoint: 'auth.providerList',
  ...LIST_COMMAND,
  output: { view: serviceView, many: true },
  summary: words('List the sign-in services that were added, without their secrets'),
  async run({ client, print }) {
    await print.list(await (await client()).auth.providerList(), serviceView, { empty: NONE })
  },
  own: {
    options: [],
    async run({ client, print }) {
      const services = await (await client()).auth.providers()
      await print.list(services, serviceView, { empty: words('No sign-in services.') })
    },
  },
})

/** @throws GatewayRefusal if no service, or several, have the name */
const findService = async (weir: WeirClient, name: string): Promise<SignInService> =>
  findByName({
    name,
    rows: await weir.auth.providerList(),
    getNames: ({ id, name: shown }) => [id, shown],
    describe: ({ id }) => id,
    missing: words('No sign-in service is called "{name}": see `weir sign-in-services`.'),
    several: words('Several sign-in services are called "{name}": give the id, one of {ids}.'),
    kind: 'provider',
  })

const service = { spec: '<service>', help: words('id or name of the service') } as const

const fieldFlags = {
  ...toFlags(loginServiceForm, ['client_secret', 'enabled']),
  clientSecret: {
    flag: '--client-secret <secret>',
    help: words('secret that the service issued to Weir; - reads it from standard input'),
  },
} as const

type FieldFlags = Partial<Record<keyof typeof fieldFlags, string>>

async function parseFields({ clientSecret, ...flags }: FieldFlags, readInput: () => Promise<string>) {
  const secret = (await readValueOrInput(clientSecret, readInput))?.trim()
  return {
    ...parseFlagValues(loginServiceForm, flags, ['client_secret', 'enabled']),
    ...(secret === undefined ? {} : { client_secret: secret }),
  } as Partial<Pick<SignInService, 'name' | 'well_known' | 'client_id' | 'scopes'>> & { client_secret?: string }
}

const ID_HELP = words('id of the service: letters, digits and hyphens')

const questions: readonly FormQuestion[] = [
  { name: 'id', label: words('ID'), kind: 'text', hint: ID_HELP, check: refuseEmptyText },
  ...(['name', 'well_known', 'client_id', 'client_secret'] as const).map((name) =>
    buildQuestion(loginServiceForm, name, { check: refuseEmptyText }),
  ),
]

const add = command({
  endpoint: 'auth.providerCreate',
  name: 'add',
  output: { view: serviceView, many: false },
  summary: words('Add an OpenID Connect service; on a terminal without an id it asks'),
  details: words(
    'weir sign-in-services add company --name Company --client-id weir --client-secret - --well-known https://id.example.com/.well-known/openid-configuration\n\nIts callback address is SERVER/oauth/ID.',
  ),
  arguments: { id: { spec: '[id]', help: ID_HELP } },
  options: fieldFlags,
  async run({ client, print, ask, args, options, readInput }) {
    const given = await parseFields(options, readInput)
    const answers =
      args.id === undefined ? await ask.form(words('New sign-in service'), questions, '<id>') : { id: args.id }
    // The endpoint names the required fields that are missing.
    const form = { ...given, ...answers } as NonNullable<Parameters<WeirClient['auth']['providerCreate']>[0]>
    const made = await (await client()).auth.providerCreate(form)
    await print.done(made, serviceView, {
      human: fillTemplate(words('Added sign-in service {id} "{name}". Its callback address is SERVER/oauth/{id}.'), {
        id: made.id,
        name: made.name,
      }),
      quietOutput: made.id,
    })
  },
})

/** Saves changes to a service: the endpoint takes the whole form, and an empty secret keeps the current one. */
async function saveService(
  weir: WeirClient,
  before: SignInService,
  change: Partial<SignInService> & { client_secret?: string },
): Promise<SignInService> {
  await weir.auth.providerUpdate({ ...before, client_secret: '', ...change })
  return findService(weir, before.id)
}

const edit = command({
  endpoint: 'auth.providerUpdate',
  name: 'edit',
  output: { view: serviceView, many: false },
  summary: words('Change a sign-in service; what is left out stays'),
  details: words('With another --well-known the secret must be given again, because the other server must not get it.'),
  arguments: { service },
  options: fieldFlags,
  async run({ client, print, args, options, readInput }) {
    const change = await parseFields(options, readInput)
    if (Object.keys(change).length === 0) throw new UsageError(words('Nothing to change: `--help` lists the flags.'))
    const weir = await client()
    const after = await saveService(weir, await findService(weir, args.service), change)
    await print.done(after, serviceView, {
      human: fillTemplate(words('Changed sign-in service {id} "{name}".'), { id: after.id, name: after.name }),
      quietOutput: after.id,
    })
  },
})

const SWITCHES = {
  enable: {
    summary: words('Enable a sign-in service'),
    done: words('Sign-in service {id} "{name}" is enabled.'),
    enabled: true,
  },
  disable: {
    summary: words('Disable a sign-in service until it is enabled again'),
    done: words('Sign-in service {id} "{name}" is disabled.'),
    enabled: false,
  },
} as const

const switches = Object.entries(SWITCHES).map(([name, { summary, done, enabled }]): Command =>
  command({
    endpoint: 'auth.providerUpdate',
    name,
    output: { view: serviceView, many: false },
    summary,
    arguments: { service },
    async run({ client, print, args }) {
      const weir = await client()
      const after = await saveService(weir, await findService(weir, args.service), { enabled })
      await print.done(after, serviceView, {
        human: fillTemplate(done, { id: after.id, name: after.name }),
        quietOutput: after.id,
      })
    },
  }),
)

const remove = command({
  endpoint: 'auth.providerDelete',
  name: 'rm',
  aliases: ['delete'],
  output: { view: serviceView, many: false },
  summary: words('Remove a sign-in service; accounts that came through it stay'),
  arguments: { service },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findService(weir, args.service)
    const { id, name } = found
    await sure(
      fillTemplate(words('Remove sign-in service {id} "{name}"? Users can no longer sign in with it.'), { id, name }),
    )
    await weir.auth.providerDelete({ provider_id: id })
    await print.done(found, serviceView, {
      human: fillTemplate(words('Removed sign-in service {id} "{name}".'), { id, name }),
      quietOutput: id,
    })
  },
})

type DiscoveredEndpoints = Awaited<ReturnType<WeirClient['settings']['readWellKnown']>>

const discoveredView: OutputView<DiscoveredEndpoints> = {
  authorization_endpoint: text(words('AUTHORIZATION'), 1, (found) => found.authorization_endpoint),
  token_endpoint: text(words('TOKEN'), 1, (found) => found.token_endpoint),
  userinfo_endpoint: text(words('USER INFORMATION'), 1, (found) => found.userinfo_endpoint),
}

const discover = command({
  endpoint: 'settings.readWellKnown',
  name: 'discover',
  readOnly: true,
  output: { view: discoveredView, many: false },
  summary: words('Read the endpoints from a discovery document'),
  arguments: { url: { spec: '[url]', help: words('its address (default: the setting oidc.well_known)') } },
  async run({ client, print, ask, args }) {
    const { settings } = await client()
    const found = await ask.during(words('Reading…'), settings.readWellKnown({ well_known: args.url }))
    await print.one(found, discoveredView, { quietOutput: found.authorization_endpoint })
  },
})

export const signInServicesCommand = group({
  name: 'sign-in-services',
  summary: words('OpenID Connect services with which users sign in'),
  commands: [list, add, edit, ...switches, remove, discover],
})
