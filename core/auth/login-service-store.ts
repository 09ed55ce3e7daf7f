import type { LoginService } from './methods/oidc.ts'

/** Sign-in services that the operator added. */
export interface LoginServiceStore {
  find(id: string): Promise<LoginService | null>
  list(): Promise<LoginService[]>
  /** @throws GatewayError provider.taken */
  insert(provider: LoginService): Promise<void>
  /** False where there is none. An absent field stays as it is. */
  update(id: string, patch: Partial<Omit<LoginService, 'id'>>): Promise<boolean>
  delete(id: string): Promise<boolean>
}
