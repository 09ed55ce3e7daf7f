import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { AccessToken } from '../users/access-tokens.ts'
import { accessTokenFields } from '../users/user-fields.data.ts'
import { deviceFields } from './device-fields.data.ts'
import { DeviceRequest } from './device.ts'

const code = z.string().max(40)

export const devicesContract = {
  begin: endpoint({
    method: 'POST',
    path: '/api/device/code',
    access: 'public',
    limit: 'login',
    summary: words('Request an access token without a browser: a short code that a signed-in user confirms'),
    body: z.object(
      declareShapeFields(
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
    ),
    body: z.object(declareShapeFields(deviceFields, { device_code: z.string().max(100) })),
    reply: AccessToken.extend({ token: z.string(), username: z.string() }),
  }),
  request: endpoint({
    method: 'GET',
    path: '/api/device/request',
    access: 'user',
    scope: 'all',
    summary: words('The request of the program with this code. For sessions only'),
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
    proof: { when: words('it is allowed') },
    summary: words(
      'Grant the program with this code an access token of the signed-in user, or deny it. For sessions only',
    ),
    body: z.object(declareShapeFields(deviceFields, { user_code: code, allow: z.boolean() })),
    reply: z.null(),
  }),
}
