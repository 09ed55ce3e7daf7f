// `weir login` and `weir logout`: creating and revoking an access token for a remote Weir.
import { hostname } from 'node:os'
import { cleanBaseUrl } from '../../core/contract/url.ts'
import { ACCESS_TOKEN_SCOPES, type AccessTokenScope } from '../../core/contract/endpoint.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { openInBrowser } from '../browser.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { LOCAL_CONTEXT, readContexts, writeContexts, type SavedContext } from '../connection/contexts.ts'
import { UsageError } from '../failure.ts'
import { createEndpointClient } from '../connection/endpoint-client.ts'
import { createHttpSend } from '../connection/http-send.ts'
import { parseMomentFlag, readValueOrInput } from '../input/flags.ts'
import {
  signOutExitMeaning,
  forgetSignedOutContext,
  revokeSavedToken,
  signedOutView,
  signInByCode,
} from '../connection/sign-in.ts'
import { asUntranslatedText } from '../language.ts'
import { savedContextView, toContextRow } from '../nouns/context.ts'
import { words } from '../texts.ts'

const NAME = /^[\w.-]{1,60}$/
const DEFAULT_SPAN = '90d'
const MAX_NAME_LENGTH = 30

export const loginCommand = command({
  name: 'login',
  here: true,
  output: { view: savedContextView, many: false },
  summary: words('Sign in to a Weir on another machine, and use it from now on'),
  details: words(
    'Opens the console, where a signed-in user grants this terminal an access token. Without a browser it prints a short code and the address to enter it at. You can also give an existing access token:\n  weir login https://weir.example.com --token - < file\nIt is kept in ~/.config/weir/contexts.json (WEIR_CONFIG_DIR), which this user alone may read; `weir logout` revokes it.\nOrder of precedence for the gateway of a command: --server or --data; --context; WEIR_SERVER, WEIR_DATA or DATABASE_URL; WEIR_CONTEXT; the current context; this machine.',
  ),
  arguments: { url: { spec: '<url>', help: words('its address') } },
  options: {
    token: {
      flag: '--token <token>',
      help: words('an access token; `-` reads it from standard input'),
    },
    code: {
      flag: '--code',
      help: words('print the code and the address, and open no browser'),
    },
    scope: {
      flag: '--scope <scope>',
      help: words('requested scope (default: all)'),
      choices: ACCESS_TOKEN_SCOPES,
    },
    expires: {
      flag: '--expires <when>',
      help: words('a span like 30d, or a date (default: 90d)'),
    },
    name: { flag: '--name <name>', help: words('name of the context (default: the host)') },
  },
  async run(surroundings) {
    const { args, options, env, language, print, readInput, terminal } = surroundings
    const server = parseServer(args.url)
    const name = options.name ?? chooseContextName(server, readContexts(env).contexts)
    if (!NAME.test(name) || name === LOCAL_CONTEXT)
      throw new UsageError(words('--name takes letters, digits, dots and dashes, and not "local".'))
    if (options.token === undefined && !options.code && !terminal.interactive)
      throw new UsageError(words('--token or --code is required: no terminal is available to ask on.'))
    if (isOpen(server)) print.warn(words('This is http, not https: the access token can be read in transit.'))
    const createClientFor = (accessToken?: string) =>
      createEndpointClient(createHttpSend({ server, accessToken, language, label: asUntranslatedText(server) }))
    const added = Math.floor(Date.now() / 1000)
    const given = options.token === undefined ? undefined : await readValueOrInput(options.token, readInput)
    const saved: SavedContext =
      given === undefined
        ? { server, added, ...(await throughConsole(createClientFor(), server, surroundings, options)) }
        : { server, added, ...(await loadTokenFacts(createClientFor(given.trim()), given.trim())) }
    const { contexts } = readContexts(env)
    const former = contexts[name]
    writeContexts(env, { current: name, contexts: { ...contexts, [name]: saved } })
    // The token of the previous sign-in under this name is no longer reachable.
    if (former?.issued && former.access_token !== saved.access_token) await revokeSavedToken(former, language)
    await print.done(toContextRow(name, saved, true), savedContextView, {
      human: fillTemplate(
        words(
          'Signed in to {server} as {username}: commands go there from now on. Back to this machine: weir context use local',
        ),
        { server, username: saved.username },
      ),
      quietOutput: name,
    })
  },
})

/** The host names a gateway, with its port where another gateway of the same host has the name. */
function chooseContextName(server: string, contexts: Readonly<Record<string, { server: string }>>): string {
  const { hostname: host, port } = new URL(server)
  const known = contexts[host]
  return port === '' || known === undefined || known.server === server ? host : `${host}-${port}`
}

const ON_THIS_MACHINE = /^(localhost|127\.[\d.]+|\[::1\])$/

/** Parses the address; https by default, http on this machine. @throws UsageError */
function parseServer(url: string): string {
  const isHere = ON_THIS_MACHINE.test(url.replace(/(:\d+)?(\/.*)?$/, ''))
  const address = /^https?:\/\//.test(url) ? url : `${isHere ? 'http' : 'https'}://${url}`
  if (URL.canParse(address)) return cleanBaseUrl(address)
  throw new UsageError(fillTemplate(words('{url} is no address like https://weir.example.com'), { url }))
}

/** True if the connection is unencrypted and leaves this machine. */
const isOpen = (server: string): boolean => {
  const { protocol, hostname: host } = new URL(server)
  return protocol === 'http:' && !ON_THIS_MACHINE.test(host)
}

type TokenFacts = Omit<SavedContext, 'server' | 'added'>

/** Returns the facts about an existing access token. A gateway of an earlier version reports only some of them. */
async function loadTokenFacts({ users }: WeirClient, access_token: string): Promise<TokenFacts> {
  const { username } = await users.self()
  const own = await users.thisAccessToken().catch(() => undefined)
  return { access_token, username, ...(own ? { access_token_name: own.name, expires: own.expired_time } : {}) }
}

const OPENED = words(
  'Your code is {code}. The console opened in the browser: allow it there if it shows the same code ({address}).',
)
const BY_HAND = words('Open {address} and enter the code {code}. It is good for {minutes} minutes.')

async function throughConsole(
  client: WeirClient,
  server: string,
  { env, print, terminal, interrupted }: CommandEnvironment,
  { code, scope = 'all', expires = DEFAULT_SPAN }: { code?: boolean; scope?: string; expires?: string },
): Promise<TokenFacts> {
  const request = {
    name: getTerminalName(),
    scope: scope as AccessTokenScope,
    expired_time: parseMomentFlag('--expires', expires, 1),
  }
  const page = `${server}/device`
  const made = await signInByCode(client, request, {
    signal: interrupted(),
    async showCode(shown, minutes) {
      const address = `${page}?code=${encodeURIComponent(shown)}`
      const opened = !code && terminal.interactive && (await openInBrowser(address, env))
      const values = { code: print.paint(shown, 'strong'), minutes }
      print.warn(
        opened ? fillTemplate(OPENED, { ...values, address }) : fillTemplate(BY_HAND, { ...values, address: page }),
        {
          always: true,
        },
      )
    },
  })
  const { token, username, name, expired_time } = made
  return { access_token: token, username, access_token_name: name, expires: expired_time, issued: true }
}

/** Returns the name of this terminal in the console. */
const getTerminalName = () => `weir on ${hostname().replace(/[^\w.-]/g, '') || 'a terminal'}`.slice(0, MAX_NAME_LENGTH)

export const logoutCommand = command({
  name: 'logout',
  here: true,
  output: { view: signedOutView, many: false },
  summary: words('Sign out of a Weir on another machine: its access token is revoked there and removed here'),
  failsWhen: signOutExitMeaning,
  arguments: {
    context: { spec: '[context]', help: words('which one (default: the current one)') },
  },
  options: {
    keep: {
      flag: '--keep',
      help: words('only forget it on this machine: the access token keeps working'),
    },
  },
  async run(surroundings) {
    const { args, options, env } = surroundings
    const name = args.context ?? readContexts(env).current ?? LOCAL_CONTEXT
    if (args.context === undefined && name === LOCAL_CONTEXT)
      throw new UsageError(
        words('Commands go to this machine, which needs no sign-in: name a context, see `weir context`.'),
      )
    await forgetSignedOutContext(surroundings, name, { keep: options.keep })
  },
})
