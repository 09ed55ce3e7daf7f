// Authentication that is more than a key in a header: signatures over a request, and tokens obtained for a key.
import type { RequestBytes } from './upstream.ts'

export interface UnsignedRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: RequestBytes
  /** The http, https or socks5 address of the channel's proxy. */
  proxy?: string
  /** As in the signed request. Tokens are requested in the same way. */
  guarded: boolean
}

/** The connection options of a token request, equal to those of the request that needs the token. */
export type TokenRequestOptions = Pick<UnsignedRequest, 'proxy' | 'guarded'>

export interface AwsKey {
  access_key: string
  secret_key: string
  region: string
  /** The service name in the signature: `bedrock`. */
  service: string
}

export interface TencentKey {
  secret_id: string
  secret_key: string
  /** The service name in the signature: `hunyuan`. */
  service: string
}

export interface VolcengineKey {
  access_key: string
  secret_key: string
  region: string
  /** The service name in the signature: `cv`. */
  service: string
}

export interface RequestSigner {
  /**
   * Returns the headers that AWS Signature Version 4 adds to a request, over its address, its content type and its
   * body.
   */
  aws(request: UnsignedRequest, key: AwsKey): Promise<Record<string, string>>
  /**
   * Returns the headers that Tencent Cloud's signature (TC3-HMAC-SHA256) adds to a request, over its content type and
   * its body.
   */
  tencent(request: UnsignedRequest, key: TencentKey): Record<string, string>
  /**
   * Returns the headers that Volcengine's signature (HMAC-SHA256) adds to a request, over its address, its content type
   * and its body.
   */
  volcengine(request: UnsignedRequest, key: VolcengineKey): Record<string, string>
  /** Returns the parameters that sign the address of one of Xunfei's WebSockets: host, date, authorization. */
  xunfei(url: string, key: { api_key: string; api_secret: string }): Record<string, string>
  /**
   * Returns an access token for a Google service account, whose key is the JSON file from Google. The token is cached
   * until shortly before it expires.
   * @throws GatewayError channel.key_format for an invalid key, upstream.refused if Google rejects it
   */
  google(serviceAccount: string, way: TokenRequestOptions): Promise<string>
  /**
   * Returns an access token of Baidu's AI cloud for the two keys of an app, from its token endpoint. The token is
   * cached until shortly before it expires.
   * @throws GatewayError upstream.refused if Baidu rejects them
   */
  baidu(app: { api_key: string; secret_key: string; token_url: string }, way: TokenRequestOptions): Promise<string>
  /**
   * Returns the token that Zhipu's older keys (`id.secret`) sign themselves. The token is cached until shortly before
   * it expires.
   * @throws GatewayError channel.key_format
   */
  zhipu(key: string): Promise<string>
  /**
   * Returns the token that Kling's keys (`access|secret`) sign themselves, valid for 30 minutes. The token is cached
   * until shortly before it expires.
   * @throws GatewayError channel.key_format
   */
  kling(key: string): Promise<string>
}
