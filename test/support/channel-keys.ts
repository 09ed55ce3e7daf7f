// Keys in the forms that types of channels require.

const KEYS: Readonly<Record<number, string>> = {
  15: 'api|secret',
  16: 'id.secret',
  18: 'app|secret|key',
  22: 'fastgpt-key',
  23: 'app|id|key',
  33: 'access|secret|us-east-1',
  41: '{"project_id": "p", "client_email": "e@p.test", "private_key": "k"}',
  46: 'key|app',
  50: 'access|secret',
  51: 'access|secret',
}

/** Returns a key that a channel of the type accepts. */
export const getSampleKey = (type: number): string => KEYS[type] ?? 'upstream-key'
