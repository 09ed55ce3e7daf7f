// Services that send the browser back with a code, one line each.
import { github } from './github.ts'
import { linuxdo } from './linuxdo.ts'
import type { RedirectService } from '../../settings/sign-in-services.ts'
import type { CodeMethod } from './login-method.ts'
import { oidc } from './oidc.ts'

const declared: Record<RedirectService, CodeMethod> = { github, oidc, linuxdo }
export const codeMethods: Readonly<Record<string, CodeMethod>> = declared
