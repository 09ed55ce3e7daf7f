// Jimeng: video of Volcengine's visual service, as tasks only. Requests are signed with an access key of the account,
// by https://www.volcengine.com/docs/85621/1792704 and https://www.volcengine.com/docs/6369/67269.
import { jimengFilmTasks } from '../dialects/tasks/jimeng.ts'
import { fail, words } from '../errors.ts'
import { hasKeyParts, names, provider, type AuthorizeRequest } from './provider.ts'

export const jimeng = provider({
  type: 51,
  id: 'jimeng',
  name: 'Jimeng',
  base_url: 'https://visual.volcengineapi.com',
  models: names('jimeng_v30, jimeng_v30_1080p, jimeng_ti2v_v30_pro'),
  tasks: [{ dialect: jimengFilmTasks }],
  hasKeyForm: hasKeyParts(2),
  authorize: signed,
  fields: {
    key: {
      label: words('Access key id and secret'),
      placeholder: 'AKLT...|secret',
      required: true,
    },
  },
})

/** @throws GatewayError channel.key_format */
function signed(...[{ key }, request, { signer }]: Parameters<AuthorizeRequest>): Record<string, string> {
  const [access_key, secret_key, ...more] = key.split('|').map((part) => part.trim())
  if (!access_key || !secret_key || more.length > 0) return fail('channel.key_format')
  return signer.volcengine(request, { access_key, secret_key, region: 'cn-north-1', service: 'cv' })
}
