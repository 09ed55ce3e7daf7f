import type { Edit } from '../contract/version.ts'
import type { LoginService } from './methods/oidc.ts'

/** Sign-in services that the operator added. */
export interface LoginServiceStore {
  find(id: string): Promise<LoginService | null>
  list(): Promise<LoginService[]>
  /** @throws GatewayError provider.taken */
  insert(provider: Omit<LoginService, 'version'>): Promise<void>
  /**
   * Returns false if it does not exist. An absent field stays as it is. @throws GatewayError edit.conflict if the
   * stored version is not the one that was read
   * @throws GatewayError edit.conflict where another version is stored than was read
   */
  update(id: string, patch: Partial<Omit<LoginService, 'id' | 'version'>>, edit: Edit): Promise<boolean>
  delete(id: string): Promise<boolean>
}
