import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { AccessToken } from '../users/access-tokens.ts'
import { accessTokenFields } from '../users/user-fields.data.ts'
import { deviceFields } from './device-fields.data.ts'
import { DeviceRequest } from './device.ts'

const code = z.string().max(40)

export const devices = {
  begin: endpoint({
    method: 'POST',
    path: '/api/device/code',
    access: 'public',
    limit: 'login',
    summary: words(
      'Request an access token without a browser: a short code that a signed-in user confirms',
      '在没有浏览器的地方申请访问令牌：生成短代码，由已登录的人输入',
    ),
    body: z.object(
      declareFields(
        { ...accessTokenFields, expired_time: deviceFields.expired_time },
        {
          name: z.string().trim(),
          scope: AccessToken.shape.scope.default('read'),
          expired_time: z.number().int().optional(),
        },
      ),
    ),
    reply: z.object({
      device_code: z.string(),
      user_code: z.string(),
      /** Seconds. */
      expires_in: z.number(),
      interval: z.number(),
    }),
  }),
  token: endpoint({
    method: 'POST',
    path: '/api/device/token',
    access: 'public',
    summary: words(
      'The access token, once it is allowed: shown only once. Until then refused with device.authorization_pending, device.slow_down, device.access_denied or device.expired_token',
      '获准后的访问令牌，仅给出一次。在此之前以 device.authorization_pending、device.slow_down、device.access_denied 或 device.expired_token 拒绝',
    ),
    body: z.object(declareFields(deviceFields, { device_code: z.string().max(100) })),
    reply: AccessToken.extend({ token: z.string(), username: z.string() }),
  }),
  request: endpoint({
    method: 'GET',
    path: '/api/device/request',
    access: 'user',
    scope: 'all',
    summary: words(
      'The request of the program behind a code. For sessions only',
      '代码背后的程序所申请的内容。仅限会话',
    ),
    query: z.object({ user_code: code }),
    reply: DeviceRequest.pick({
      name: true,
      scope: true,
      ip: true,
      created_time: true,
      expires_time: true,
      expired_time: true,
    }).extend({ user_code: z.string(), near: z.boolean() }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/device/request',
    access: 'user',
    scope: 'all',
    proof: { when: words('it is allowed', '允许时') },
    summary: words(
      'Allow the program behind a code an access token of the signed-in user, or deny it. For sessions alone',
      '允许代码背后的程序获得当前用户的访问令牌，或拒绝。仅限会话',
    ),
    body: z.object(declareFields(deviceFields, { user_code: code, allow: z.boolean() })),
    reply: z.null(),
  }),
}
