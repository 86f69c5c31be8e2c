/** One of the two keys of a pair. */
export interface KeyResource {
  id: string;
  tenantId: string;
  pairId: string;
  kind: 'publishable' | 'secret';
  value: string;
  status: 'active' | 'paused' | 'revoked';
  createdAt: string;
}

/** A publishable key and the secret key that belongs to it. */
export interface KeyPairResource {
  pairId: string;
  publishable: KeyResource;
  secret: KeyResource;
}

export interface KeyControl {
  /** Lists an account's key pairs, oldest first, including paused and revoked keys. */
  keyPairs(tenantId: string): Promise<KeyPairResource[]>;
  /** Adds a pair of random keys to an account. Its other keys stay valid. */
  createKeyPair(tenantId: string): Promise<KeyPairResource>;
  /**
   * Pauses, resumes or revokes a key. Calls with a paused key are refused with 403. A revoked key stays
   * revoked, and calls with it are refused with 401.
   */
  setKeyStatus(id: string, status: 'active' | 'paused' | 'revoked'): Promise<KeyResource>;
  /** Revokes a key permanently. Calls with it are refused with 401. */
  revokeKey(id: string): Promise<KeyResource>;
}
