import type { DeviceRequest } from './device.ts'

export type NewDeviceRequest = Pick<
  DeviceRequest,
  'name' | 'scope' | 'ip' | 'created_time' | 'expires_time' | 'expired_time' | 'interval'
> & {
  /** Keyed hash of the code that fetches the token. */
  device_hash: string
  user_code: string
}

/** Requests that are over are not found. */
export interface DeviceStore {
  insert(request: NewDeviceRequest): Promise<void>
  find(by: { device_hash: string } | { user_code: string }, now: number): Promise<DeviceRequest | null>
  /** Answers a waiting one; false where it waits no more: of two who answer at once one does. */
  answer(id: number, state: 'allowed' | 'denied'): Promise<boolean>
  /** The access token that the program may fetch. */
  give(id: number, tokenId: number): Promise<void>
  asked(id: number, when: Pick<DeviceRequest, 'polled_ms' | 'interval'>): Promise<void>
  /** Takes it away; false where somebody else did. */
  take(id: number): Promise<boolean>
  /** Deletes expired requests, with the access tokens that were not fetched. */
  deleteExpired(now: number): Promise<void>
}
