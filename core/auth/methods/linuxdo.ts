// Sign-in with LinuxDO.
import { fail } from '../../errors.ts'
import { parseJsonBody } from '../../ports/web.ts'
import { getServerAddress } from '../server-address.ts'
import { requestFromService, getAnswerField, parseAccessToken, type CodeMethod } from './login-method.ts'

const label = 'LinuxDO'

export const linuxdoSignIn: CodeMethod = {
  label,
  enabled: (settings) => settings.LinuxDOOAuthEnabled,
  async authorizationUrl({ settings }, { state }) {
    const query = new URLSearchParams({ response_type: 'code', client_id: settings.LinuxDOClientId, state })
    return `https://connect.linux.do/oauth2/authorize?${query}`
  },
  async identify({ web, machine, settings }, code) {
    const credentials = btoa(`${settings.LinuxDOClientId}:${settings.LinuxDOClientSecret}`)
    const redirect_uri = `${getServerAddress(settings, machine)}/oauth/linuxdo`
    const tokens = await requestFromService(web, label, {
      method: 'POST',
      url: 'https://connect.linux.do/oauth2/token',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri }).toString(),
    })
    const reply = await requestFromService(web, label, {
      method: 'GET',
      url: 'https://connect.linux.do/api/user',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${parseAccessToken(parseJsonBody(tokens), label)}`,
      },
    })
    const user = parseJsonBody(reply)
    const subject = getAnswerField(user, 'id')
    if (reply.status !== 200 || subject === '' || subject === '0') fail('oauth.userinfo', { provider: label })
    return {
      subject,
      username: getAnswerField(user, 'username'),
      display_name: getAnswerField(user, 'name') || 'LinuxDO User',
    }
  },
}
