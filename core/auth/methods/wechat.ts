// Sign-in with WeChat, through the helper server of an official account.
import { fail } from '../../errors.ts'
import { parseJsonBody, type WebClient } from '../../ports/web.ts'
import type { Settings } from '../../settings/index.ts'
import { requestFromService, getAnswerField, type ExternalIdentity } from './login-method.ts'

const label = 'WeChat'

/**
 * Returns the user of this code, from the helper server of the official account. @throws GatewayError oauth.*,
 * verification.wrong
 */
export async function identifyWechatUser(web: WebClient, settings: Settings, code: string): Promise<ExternalIdentity> {
  if (!settings.WeChatAuthEnabled) fail('oauth.off', { provider: label })
  if (code.trim() === '') fail('verification.wrong')
  const reply = await requestFromService(web, label, {
    method: 'GET',
    url: `${settings.WeChatServerAddress}/api/wechat/user?code=${encodeURIComponent(code.trim())}`,
    headers: { authorization: settings.WeChatServerToken },
  })
  const answer = parseJsonBody(reply) as { success?: unknown } | undefined
  const subject = getAnswerField(answer, 'data')
  if (answer?.success !== true || subject === '') fail('verification.wrong')
  return { subject, display_name: 'WeChat User' }
}
