import type { LoginProvider } from './methods/oidc.ts'

/** Sign-in providers that the operator added. */
export interface ProviderStore {
  find(id: string): Promise<LoginProvider | null>
  list(): Promise<LoginProvider[]>
  /** @throws GatewayError provider.taken */
  insert(provider: LoginProvider): Promise<void>
  /** False where there is none. An absent field stays as it is. */
  update(id: string, patch: Partial<Omit<LoginProvider, 'id'>>): Promise<boolean>
  delete(id: string): Promise<boolean>
}
