// Services that send the browser back with a code, one line each.
import { github } from './github.ts'
import { linuxdo } from './linuxdo.ts'
import type { CodeMethod } from './login-method.ts'
import { oidc } from './oidc.ts'

export const codeMethods: Readonly<Record<string, CodeMethod>> = { github, oidc, linuxdo }
