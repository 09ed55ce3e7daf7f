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
  /** Answers a pending request; false if it is not pending, so that only one of two concurrent answers counts. */
  answer(id: number, state: 'allowed' | 'denied'): Promise<boolean>
  /** The access token that the program may fetch. */
  give(id: number, tokenId: number): Promise<void>
  recordPoll(id: number, when: Pick<DeviceRequest, 'polled_ms' | 'interval'>): Promise<void>
  /** Removes it; false if another request has. */
  take(id: number): Promise<boolean>
  /** Deletes expired requests, with the access tokens that were not fetched. */
  deleteExpired(now: number): Promise<void>
}
