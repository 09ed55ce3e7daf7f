// Proofs of who pays that are more than a key in a header: signatures over a request, and tokens that a key is
// exchanged for.
export interface Unsigned {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** http, https or socks5 address of the channel's proxy. */
  proxy?: string
  /** As of the request that is proven: tokens are asked for in the same way. */
  guarded: boolean
}

/** How a token is asked for: as the request that it is for. */
export type TokenWay = Pick<Unsigned, 'proxy' | 'guarded'>

export interface AwsKey {
  access_key: string
  secret_key: string
  region: string
  /** The name that the service signs under: `bedrock`. */
  service: string
}

export interface TencentKey {
  secret_id: string
  secret_key: string
  /** The name that the service signs under: `hunyuan`. */
  service: string
}

export interface VolcengineKey {
  access_key: string
  secret_key: string
  region: string
  /** The name that the service signs under: `cv`. */
  service: string
}

export interface Signer {
  /** The headers that AWS Signature Version 4 adds to a request, over its address, its content type and its body. */
  aws(request: Unsigned, key: AwsKey): Promise<Record<string, string>>
  /** The headers that Tencent Cloud's signature (TC3-HMAC-SHA256) adds to a request, over its content type and its body. */
  tencent(request: Unsigned, key: TencentKey): Record<string, string>
  /** The headers that Volcengine's signature (HMAC-SHA256) adds to a request, over its address, its content type and its body. */
  volcengine(request: Unsigned, key: VolcengineKey): Record<string, string>
  /** The parameters that sign the address of one of Xunfei's WebSockets: host, date, authorization. */
  xunfei(url: string, key: { api_key: string; api_secret: string }): Record<string, string>
  /**
   * An access token for a Google service account, whose key is given as the JSON that Google hands out. The same token
   * is given until it is about to expire.
   * @throws GatewayError channel.key_format when it is no such key, upstream.refused when Google does not take it
   */
  google(serviceAccount: string, way: TokenWay): Promise<string>
  /**
   * An access token of Baidu's AI cloud for the two keys of an app, asked for at its token endpoint. The same token is
   * given until it is about to expire.
   * @throws GatewayError upstream.refused when Baidu does not take them
   */
  baidu(app: { api_key: string; secret_key: string; token_url: string }, way: TokenWay): Promise<string>
  /**
   * The token that Zhipu's older keys (`id.secret`) sign for themselves. The same token is given until it is about to
   * expire.
   * @throws GatewayError channel.key_format
   */
  zhipu(key: string): Promise<string>
  /**
   * The token that Kling's keys (`access|secret`) sign for themselves, good for 30 minutes. The same token is given until
   * it is about to expire.
   * @throws GatewayError channel.key_format
   */
  kling(key: string): Promise<string>
}
