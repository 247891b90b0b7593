// kinesis-mock binds every interface and fixed ports. This makes it bind the loopback interface and a free port of the
// system's choice, and write the plain port to the file named by LIVE_PORT_FILE once it listens.
'use strict';

const fs = require('fs');
const net = require('net');
const tls = require('tls');

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (...args) {
  const first = args[0];
  const onTcp =
    (first && typeof first === 'object' && 'port' in first) || typeof first === 'number' || /^\d+$/.test(first);
  if (!onTcp) {
    return listen.apply(this, args);
  }
  if (!(this instanceof tls.Server)) {
    this.once('listening', () => {
      // Renamed into place: a reader sees the whole number or no file.
      fs.writeFileSync(`${process.env.LIVE_PORT_FILE}.part`, String(this.address().port));
      fs.renameSync(`${process.env.LIVE_PORT_FILE}.part`, process.env.LIVE_PORT_FILE);
    });
  }
  const callback = args.filter((arg) => typeof arg === 'function');
  return listen.call(this, { port: 0, host: '127.0.0.1' }, ...callback);
};
