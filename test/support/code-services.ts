// GitHub and LinuxDO as they answer: codes good once and for a while, tokens, and who somebody is.
import type { AskedElsewhere, Service } from './elsewhere.ts'

export interface OAuthApp {
  client_id: string
  client_secret: string
}

/** Somebody at GitHub. */
export interface GitHubUser {
  id: number
  login: string
  name: string | null
  email: string | null
}

/** Somebody at LinuxDO. */
export interface LinuxDoUser {
  id: number
  username: string
  name: string
}

interface CodeService<U> {
  hosts: Record<string, Service>
  /** A browser there: `user` agrees, and is sent back with what stands behind the question mark. */
  approve(authorizationUrl: string, user: U): { code: string; state: string }
  /** Codes given so far are too old from now on. */
  expireCodes(): void
}

/** Codes and tokens of one service. */
function createDesk<U>({ client_id }: OAuthApp, authorizePath: string) {
  const codes = new Map<string, U>()
  const tokens = new Map<string, U>()
  let count = 0
  return {
    approve(authorizationUrl: string, user: U) {
      const url = new URL(authorizationUrl)
      const { client_id: asked, state = '' } = Object.fromEntries(url.searchParams)
      if (url.pathname !== authorizePath || asked !== client_id) throw new Error(`no such app: ${url.href}`)
      const code = `code${(count += 1)}`
      codes.set(code, user)
      return { code, state }
    },
    expireCodes: () => codes.clear(),
    /** A token for the code, once. */
    exchange(code: string): string | undefined {
      const user = codes.get(code)
      if (user === undefined) return undefined
      codes.delete(code)
      const token = `token${(count += 1)}`
      tokens.set(token, user)
      return token
    },
    userOf: ({ headers }: AskedElsewhere) => tokens.get((headers.authorization ?? '').replace(/^Bearer /, '')),
  }
}

export function createGitHub(app: OAuthApp): CodeService<GitHubUser> {
  const desk = createDesk<GitHubUser>(app, '/login/oauth/authorize')
  const error = (name: string) => ({ body: { error: name, error_description: `${name}.`, error_uri: '/errors' } })
  return {
    ...desk,
    hosts: {
      'github.com': ({ method, path, headers, text }) => {
        if (method !== 'POST' || path !== '/login/oauth/access_token') return { status: 404, body: 'Not Found' }
        if (headers.accept !== 'application/json') return { body: 'access_token=x&scope=&token_type=bearer' }
        const { client_id, client_secret, code } = JSON.parse(text) as Record<string, string>
        // It refuses with 200.
        if (client_id !== app.client_id || client_secret !== app.client_secret)
          return error('incorrect_client_credentials')
        const token = desk.exchange(code ?? '')
        if (!token) return error('bad_verification_code')
        return { body: { access_token: token, scope: 'user:email', token_type: 'bearer' } }
      },
      'api.github.com': (asked) => {
        if (!asked.headers['user-agent']) return { status: 403, body: 'Request forbidden by administrative rules.' }
        const user = desk.userOf(asked)
        if (asked.path !== '/user' || !user) return { status: 401, body: { message: 'Bad credentials', status: '401' } }
        return { body: { ...user, type: 'User', site_admin: false } }
      },
    },
  }
}

export function createLinuxDo(app: OAuthApp): CodeService<LinuxDoUser> {
  const desk = createDesk<LinuxDoUser>(app, '/oauth2/authorize')
  const basic = `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}`
  return {
    ...desk,
    hosts: {
      'connect.linux.do': (asked) => {
        if (asked.path === '/oauth2/token') {
          const form = new URLSearchParams(asked.text)
          if (asked.headers.authorization !== basic) return { status: 401, body: { error: 'invalid_client' } }
          const token = form.get('grant_type') === 'authorization_code' ? desk.exchange(form.get('code') ?? '') : ''
          if (!token) return { status: 400, body: { error: 'invalid_grant' } }
          return { body: { access_token: token, expires_in: 3600, refresh_token: 'r', token_type: 'bearer' } }
        }
        const user = desk.userOf(asked)
        if (asked.path !== '/api/user' || !user) return { status: 401, body: { error: 'invalid_token' } }
        return { body: { ...user, active: true, trust_level: 2, silenced: false } }
      },
    },
  }
}
