/*
 * Loaded into each Node under Wine; nothing of it is needed on Windows.
 */
import { Socket } from 'node:net';

// Wine 8 knows no TCP_KEEPIDLE, so that no connection would be made.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
