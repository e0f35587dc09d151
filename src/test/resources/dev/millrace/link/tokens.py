"""Tokens of links, written from docs/links.md alone: standard library and `cryptography`.

tokens.py open FORMAT PASSWORD SECRET FILE         one line per token in FILE: what is in it
tokens.py seal FORMAT PASSWORD SECRET COUNT SEED   so many lines: a random link and its token

A link is a line of four texts with tabs between: expiry, address, family (empty if absent), and the
parameters as a query; `seal` puts the token in front.
"""

import base64
import hashlib
import json
import os
import random
import sys
import urllib.parse

from cryptography.hazmat.primitives import hashes, padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ALPHABET = "abcXYZ019 _-./?&=+%:;#\"'\\<>{}[],\t\n\r\0\x1b\x7f\x80\u00fc\u20ac\u2028\ufeff\uffff\U0001f600\U0010ffff"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class V2:
    def __init__(self, password, secret):
        self.salt = hashlib.sha256(password.encode()).digest()
        self.secret = secret.encode()
        self.key_id = self.derive(b"millrace link v2 id", 4)
        self.cipher = AESGCM(self.derive(b"millrace link v2", 32))

    def derive(self, info, length):
        return HKDF(hashes.SHA256(), length, self.salt, info).derive(self.secret)

    def seal(self, expiry, address, family, parameters):
        rights = {"e": expiry, "i": address, "f": family}
        payload = {name: value for name, value in rights.items() if value is not None}
        payload["p"] = parameters
        nonce = os.urandom(12)
        sealed = self.cipher.encrypt(nonce, json.dumps(payload).encode(), b"v2.")
        return "v2." + encode(self.key_id + nonce + sealed)

    def open(self, token):
        assert token.startswith("v2.")
        data = decode(token[3:])
        assert data[:4] == self.key_id
        payload = json.loads(self.cipher.decrypt(data[4:16], data[16:], b"v2."))
        assert set(payload) <= set("eifp")
        return payload.get("e"), payload.get("i"), payload.get("f"), payload["p"]


class Compatible:
    def __init__(self, password, secret):
        self.password = password
        self.key = password.encode().ljust(32)[:32]

    def cipher(self, iv):
        return Cipher(algorithms.AES(self.key), modes.CBC(iv))

    def seal(self, expiry, address, family, parameters):
        payload = {"api_password": self.password, **parameters}
        if expiry is not None:
            payload["exp"] = expiry
        if address is not None:
            payload["ip"] = address
        padder = padding.PKCS7(128).padder()
        padded = padder.update(json.dumps(payload).encode()) + padder.finalize()
        iv = os.urandom(16)
        encryptor = self.cipher(iv).encryptor()
        return encode(iv + encryptor.update(padded) + encryptor.finalize())

    def open(self, token):
        data = decode(token)
        decryptor = self.cipher(data[:16]).decryptor()
        padded = decryptor.update(data[16:]) + decryptor.finalize()
        unpadder = padding.PKCS7(128).unpadder()
        payload = json.loads(unpadder.update(padded) + unpadder.finalize())
        assert payload.pop("api_password") == self.password
        return payload.pop("exp", None), payload.pop("ip", None), None, payload


def line(expiry, address, family, parameters):
    texts = ["" if text is None else str(text) for text in (expiry, address, family)]
    return "\t".join(texts + [urllib.parse.urlencode(parameters)])


def random_text(dice, longest):
    return "".join(dice.choice(ALPHABET) for _ in range(dice.randrange(longest)))


def random_link(dice, has_family):
    return (
        dice.choice([None, dice.randrange(-5, 1 << 34)]),
        dice.choice([None, "203.0.113.7", "2001:db8::7"]),
        dice.choice([None, "stream", "hls"]) if has_family else None,
        {random_text(dice, 12): random_text(dice, 60) for _ in range(dice.randrange(8))},
    )


def main(command, form, password, secret, *rest):
    tokens = {"V2": V2, "COMPATIBLE": Compatible}[form](password, secret)
    if command == "open":
        with open(rest[0], encoding="ascii") as lines:
            for token in lines.read().split():
                print(line(*tokens.open(token)))
    else:
        dice = random.Random(int(rest[1]))
        for _ in range(int(rest[0])):
            link = random_link(dice, form == "V2")
            print(tokens.seal(*link) + "\t" + line(*link))


main(*sys.argv[1:])
