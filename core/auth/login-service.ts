// The operator's form of a custom sign-in service.
import { z } from 'zod'
import { declareShapeFields } from '../contract/field.ts'
import type { ErrorCode } from '../errors.ts'
import { serviceFields } from './sign-in-fields.data.ts'
import { signInServices } from '../settings/sign-in-services.ts'

export const LoginServiceForm = z.object(
  declareShapeFields(serviceFields, {
    name: z.string().trim().min(1).max(64),
    well_known: z.url({ protocol: /^https?$/ }).max(500),
    client_id: z.string().min(1).max(500),
    scopes: z.string().max(200).default('openid profile email'),
    enabled: z.boolean().default(true),
    client_secret: z.string().max(500).default(''),
  }),
)

const { scopes, enabled, client_secret, ...required } = LoginServiceForm.shape

/** The changes to a service; absent fields stay as they are. */
export const LoginServicePatch = z
  .object({
    ...required,
    scopes: scopes.unwrap(),
    enabled: enabled.unwrap(),
    client_secret: client_secret.unwrap(),
  })
  .partial()

/** Reserved ids: names of services, and words in the same place of a path. */
const TAKEN = [...Object.keys(signInServices), 'email', 'state']
const TAKEN_OR_WRONG = { error: 'provider.id' satisfies ErrorCode }
export const LoginServiceId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,30}$/, TAKEN_OR_WRONG)
  .refine((id) => !TAKEN.includes(id), TAKEN_OR_WRONG)
