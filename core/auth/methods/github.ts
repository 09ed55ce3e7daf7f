// Sign-in with GitHub.
import { fail } from '../../errors.ts'
import { parseJsonBody } from '../../ports/web.ts'
import { requestFromService, getAnswerField, parseAccessToken, type CodeMethod } from './login-method.ts'

const label = 'GitHub'

/**
 * Users are identified by the numeric id, since names at GitHub are reused. GitHub does not state that an address is
 * verified, so it is left out.
 */
export const githubSignIn: CodeMethod = {
  label,
  enabled: (settings) => settings.GitHubOAuthEnabled,
  async authorizationUrl({ settings }, { state }) {
    const query = new URLSearchParams({ client_id: settings.GitHubClientId, state, scope: 'user:email' })
    return `https://github.com/login/oauth/authorize?${query}`
  },
  async identify({ web, settings }, code) {
    const tokens = await requestFromService(web, label, {
      method: 'POST',
      url: 'https://github.com/login/oauth/access_token',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: settings.GitHubClientId,
        client_secret: settings.GitHubClientSecret,
        code,
      }),
    })
    const authorization = `Bearer ${parseAccessToken(parseJsonBody(tokens), label)}`
    const reply = await requestFromService(web, label, {
      method: 'GET',
      url: 'https://api.github.com/user',
      headers: { accept: 'application/json', authorization },
    })
    const user = parseJsonBody(reply)
    const subject = getAnswerField(user, 'id')
    if (reply.status !== 200 || subject === '') fail('oauth.userinfo', { provider: label })
    return {
      subject,
      username: getAnswerField(user, 'login'),
      display_name: getAnswerField(user, 'name') || 'GitHub User',
    }
  },
}
