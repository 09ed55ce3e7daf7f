// Services that send the browser back with a code, one line each.
import { githubSignIn } from './github.ts'
import { linuxdoSignIn } from './linuxdo.ts'
import type { RedirectService } from '../../settings/sign-in-services.ts'
import type { CodeMethod } from './login-method.ts'
import { oidcSignIn } from './oidc.ts'

const declared: Record<RedirectService, CodeMethod> = { github: githubSignIn, oidc: oidcSignIn, linuxdo: linuxdoSignIn }
export const codeSignInMethods: Readonly<Record<string, CodeMethod>> = declared
