// The endpoints of second factors, passkeys, reauthentication, and the sign-in services that operators add.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { ReadVersion, RowVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { passkeyFields, serviceFields, signInFields } from './sign-in-fields.data.ts'
import { LoginServiceForm, LoginServiceId } from './login-service.ts'
import { SignedIn } from './signed-in.ts'

const success = z.null()
const code = z.object(declareShapeFields(signInFields, { code: z.string().max(64).default('') }))
/** Input and output of the browser's credential functions. */
const credential = z.record(z.string(), z.unknown())
const backups = z.object({ backup_codes: z.array(z.string()) })

/** A sign-in service of the operator; its secret is written and never read. */
/** A service that the operator added and enabled. */
export const OfferedService = z.object({ id: z.string(), name: z.string() })

const LoginServiceReply = z.object({
  id: z.string(),
  name: z.string(),
  well_known: z.string(),
  client_id: z.string(),
  scopes: z.string(),
  enabled: z.boolean(),
  version: RowVersion,
})
/** Second factors, passkeys, reauthentication, and the sign-in services that the operator added. */
export const secondFactorContract = {
  loginCode: endpoint({
    method: 'POST',
    path: '/api/user/login/code',
    access: 'public',
    summary: words('The second step of signing in: a code of the authenticator app, or a backup code'),
    body: code,
    reply: SignedIn,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/user/step_up',
    access: 'user',
    scope: 'all',
    summary: words('Prove again who you are: by password, code of the authenticator app, or passkey'),
    body: z.object(
      declareShapeFields(signInFields, {
        password: z.string().max(200).optional(),
        code: z.string().max(64).optional(),
        passkey: credential.optional(),
      }),
    ),
    reply: success,
  }),
  stepUpPasskey: endpoint({
    method: 'POST',
    path: '/api/user/step_up/passkey',
    access: 'user',
    scope: 'all',
    summary: words('Options for the browser to prove by passkey who you are'),
    reply: credential,
  }),
  totp: endpoint({
    method: 'GET',
    path: '/api/user/totp',
    access: 'user',
    scope: 'read',
    summary: words('Whether an authenticator app is set up, and how many backup codes are left'),
    reply: z.object({ enabled: z.boolean(), backup_codes_left: z.number() }),
  }),
  totpBegin: endpoint({
    method: 'POST',
    path: '/api/user/totp',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Begin to set up an authenticator app: its secret, and the address for a QR code'),
    reply: z.object({ secret: z.string(), address: z.string() }),
  }),
  totpConfirm: endpoint({
    method: 'POST',
    path: '/api/user/totp/confirm',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Finish with the first code of the app. Gives backup codes, shown once'),
    body: code,
    reply: backups,
  }),
  totpBackups: endpoint({
    method: 'POST',
    path: '/api/user/totp/backup_codes',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('New backup codes, shown once, in place of the old ones'),
    body: code,
    reply: backups,
  }),
  totpRemove: endpoint({
    method: 'POST',
    path: '/api/user/totp/remove',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Remove the authenticator app, with a code of it'),
    body: code,
    reply: success,
  }),
  passkeys: endpoint({
    method: 'GET',
    path: '/api/user/passkeys',
    access: 'user',
    scope: 'read',
    summary: words('The passkeys of the signed-in user. Times in epoch seconds'),
    reply: z.array(z.object({ id: z.string(), name: z.string(), created_time: z.number(), used_time: z.number() })),
  }),
  passkeyBegin: endpoint({
    method: 'POST',
    path: '/api/user/passkeys/begin',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Options for the browser to make a passkey'),
    reply: credential,
  }),
  passkeyAdd: endpoint({
    method: 'POST',
    path: '/api/user/passkeys',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Store the passkey that the browser created'),
    body: z.object(
      declareShapeFields(passkeyFields, {
        name: z.string().trim().min(1).max(64).default('passkey'),
        passkey: credential,
      }),
    ),
    reply: z.object({ id: z.string() }),
  }),
  passkeyRemove: endpoint({
    method: 'DELETE',
    path: '/api/user/passkeys/{passkey_id}',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Forget a passkey'),
    params: z.object({ passkey_id: z.string().max(1500) }),
    reply: success,
  }),
  passkeyAsk: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey/begin',
    access: 'public',
    limit: 'login',
    summary: words('Options for the browser to sign in with a passkey'),
    reply: credential,
  }),
  passkeyLogin: endpoint({
    method: 'POST',
    path: '/api/user/login/passkey',
    access: 'public',
    limit: 'login',
    summary: words('Sign in with a passkey'),
    body: z.object(declareShapeFields(signInFields, { passkey: credential })),
    reply: SignedIn,
  }),
  providers: endpoint({
    method: 'GET',
    path: '/api/login_provider/',
    access: 'public',
    summary: words('The sign-in services that the operator added and enabled'),
    reply: z.array(OfferedService),
  }),
  providerList: endpoint({
    method: 'GET',
    path: '/api/login_provider/all',
    access: 'admin',
    scope: 'read',
    summary: words('All sign-in services that the operator added, without their secrets'),
    reply: z.array(LoginServiceReply),
  }),
  providerCreate: endpoint({
    method: 'POST',
    path: '/api/login_provider/',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Add an OpenID Connect service; its callback is SERVER/oauth/ID'),
    body: z.object({ ...LoginServiceForm.shape, ...declareShapeFields(serviceFields, { id: LoginServiceId }) }),
    reply: LoginServiceReply,
  }),
  providerUpdate: endpoint({
    method: 'PUT',
    path: '/api/login_provider/',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Change a sign-in service; an empty secret keeps the current one'),
    row: LoginServiceReply,
    body: z.object({
      ...LoginServiceForm.shape,
      ...declareShapeFields(serviceFields, { id: z.string().max(64), version: ReadVersion }),
    }),
    reply: success,
  }),
  providerDelete: endpoint({
    method: 'DELETE',
    path: '/api/login_provider/{provider_id}',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Remove a sign-in service; accounts that were created through it stay'),
    params: z.object({ provider_id: z.string().max(64) }),
    reply: success,
  }),
}
