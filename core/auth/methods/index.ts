// Services that send the browser back with a code: GitHub, LinuxDO and OpenID Connect.
import type { RedirectService } from '../../settings/sign-in-services.ts'
import { type CodeMethod, requestFromService, getAnswerField, parseAccessToken } from './login-method.ts'
import { oidcSignIn } from './oidc.ts'
import { fail } from '../../errors.ts'
import { parseJsonBody } from '../../ports/web.ts'
import { getServerAddress } from '../server-address.ts'

const GITHUB = 'GitHub'

/**
 * Users are identified by the numeric id, since names at GitHub are reused. GitHub does not state that an address is
 * verified, so it is left out.
 */
const githubSignIn: CodeMethod = {
  label: GITHUB,
  enabled: (settings) => settings.GitHubOAuthEnabled,
  async authorizationUrl({ settings }, { state }) {
    const query = new URLSearchParams({ client_id: settings.GitHubClientId, state, scope: 'user:email' })
    return `https://github.com/login/oauth/authorize?${query}`
  },
  async identify({ web, settings }, code) {
    const tokens = await requestFromService(web, GITHUB, {
      method: 'POST',
      url: 'https://github.com/login/oauth/access_token',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: settings.GitHubClientId,
        client_secret: settings.GitHubClientSecret,
        code,
      }),
    })
    const authorization = `Bearer ${parseAccessToken(parseJsonBody(tokens), GITHUB)}`
    const reply = await requestFromService(web, GITHUB, {
      method: 'GET',
      url: 'https://api.github.com/user',
      headers: { accept: 'application/json', authorization },
    })
    const user = parseJsonBody(reply)
    const subject = getAnswerField(user, 'id')
    if (reply.status !== 200 || subject === '') fail('oauth.userinfo', { provider: GITHUB })
    return {
      subject,
      username: getAnswerField(user, 'login'),
      display_name: getAnswerField(user, 'name') || 'GitHub User',
    }
  },
}

const LINUXDO = 'LinuxDO'

const linuxdoSignIn: CodeMethod = {
  label: LINUXDO,
  enabled: (settings) => settings.LinuxDOOAuthEnabled,
  async authorizationUrl({ settings }, { state }) {
    const query = new URLSearchParams({ response_type: 'code', client_id: settings.LinuxDOClientId, state })
    return `https://connect.linux.do/oauth2/authorize?${query}`
  },
  async identify({ web, machine, settings }, code) {
    const credentials = btoa(`${settings.LinuxDOClientId}:${settings.LinuxDOClientSecret}`)
    const redirect_uri = `${getServerAddress(settings, machine)}/oauth/linuxdo`
    const tokens = await requestFromService(web, LINUXDO, {
      method: 'POST',
      url: 'https://connect.linux.do/oauth2/token',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri }).toString(),
    })
    const reply = await requestFromService(web, LINUXDO, {
      method: 'GET',
      url: 'https://connect.linux.do/api/user',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${parseAccessToken(parseJsonBody(tokens), LINUXDO)}`,
      },
    })
    const user = parseJsonBody(reply)
    const subject = getAnswerField(user, 'id')
    if (reply.status !== 200 || subject === '' || subject === '0') fail('oauth.userinfo', { provider: LINUXDO })
    return {
      subject,
      username: getAnswerField(user, 'username'),
      display_name: getAnswerField(user, 'name') || 'LinuxDO User',
    }
  },
}

const declared: Record<RedirectService, CodeMethod> = { github: githubSignIn, oidc: oidcSignIn, linuxdo: linuxdoSignIn }
export const codeSignInMethods: Readonly<Record<string, CodeMethod>> = declared
