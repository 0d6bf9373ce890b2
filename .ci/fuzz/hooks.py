"""What Schemathesis can't know of this service: who plays, and what no JSON schema can say.

FUZZ_IDENTITY says whose tokens the requests carry (device, admin or none), FUZZ_TOKENS holds them, FUZZ_COUNT is the file
that the number of answers by operation and status is written to at the end.
"""

import atexit
import collections
import json
import os
import re
import threading
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import uuid

import schemathesis
from schemathesis.core import media_types
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation

IDENTITY = os.environ["FUZZ_IDENTITY"]
SERVICE = os.environ["FUZZ_URL"]
lock = threading.RLock()
answers = collections.Counter()  # by operation and status


@atexit.register
def write_count():
    with open(os.environ["FUZZ_COUNT"], "w", encoding="ascii") as out:
        for (operation, status), count in sorted(answers.items()):
            out.write(f"{count} {operation} {status}\n")


def name_of(case):
    return case.operation.definition.raw["operationId"]


# ---------------------------------------------------------------------------------------------------------------------
# Who plays. Links can't say that a table has two players: a second token takes the free seat and makes the moves of its side.


def ask(method, path, token=None, body=None):
    """One request beside those of Schemathesis: its status and its JSON."""
    request = urllib.request.Request(SERVICE + path, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refused:
        return refused.code, None


class Players:
    """The tokens that requests are sent with, and what is known of the games they play."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.seats = {}  # profile -> which token
        self.games = {}  # game -> the document as it was seen last
        self.hosts = {}  # table -> which token opened it, and the document as it was then
        for which in range(len(tokens)):
            self.learn(which)

    def learn(self, which):
        status, me = ask("GET", "/v1/me", self.tokens[which])
        if status == 401:
            _, opened = ask("POST", "/v1/profiles", body={})
            self.tokens[which], me = opened["token"], opened["profile"]
            self.seats = {profile: owner for profile, owner in self.seats.items() if owner != which}
            self.hosts = {table: host for table, host in self.hosts.items() if host[0] != which}
        self.seats[me["id"]] = which

    def recover(self):
        """Opens a fresh guest in place of each whose token is gone."""
        for which in range(len(self.tokens)):
            self.learn(which)

    def saw(self, token, document):
        """Remembers a game or a table that was answered."""
        if is_game(document):
            self.games.pop(document["id"], None)
            self.games[document["id"]] = document
        elif is_table(document) and document["id"] in self.hosts:
            self.hosts[document["id"]] = self.hosts[document["id"]][0], document
        elif is_table(document) and document.get("my_seat") == 1 and token in self.tokens:
            self.hosts[document["id"]] = self.tokens.index(token), document

    def running(self):
        """A game in which one of ours is to move; the one seen last first."""
        ours = [name for name, game in self.games.items() if self.whose_turn(game) is not None]
        return ours[-1] if ours else None

    def finished(self):
        """The last game that two of ours have finished."""
        for game in reversed(self.games.values()):
            if game["status"] == "finished" and all(game[side].get("profile_id") in self.seats for side in ("red", "yellow")):
                return game
        return None

    def waiting(self):
        """A table with a free seat whose host is one of ours."""
        free = [name for name, (_, table) in self.hosts.items() if table["status"] == "waiting" and not table.get("quick_match")]
        return free[-1] if free else None

    def whose_turn(self, game):
        """Which token the side to move has; none of ours: None."""
        side = game.get(game.get("turn", ""), {})
        return self.seats.get(side.get("profile_id"))


players = None
admin_token = None
if IDENTITY == "device":
    players = Players(os.environ["FUZZ_TOKENS"].split())
elif IDENTITY == "admin":
    admin_token = os.environ["FUZZ_TOKENS"]

if IDENTITY != "none":

    @schemathesis.auth(refresh_interval=None)
    class Token:
        def get(self, case, context):
            return players.tokens[0] if players else admin_token

        def set(self, case, token, context):
            case.headers["Authorization"] = f"Bearer {token}"


def carry(case, which):
    if case._has_explicit_auth:
        case.headers["Authorization"] = f"Bearer {players.tokens[which]}"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Gives the links their bodies. The contract has them under a name of its own, since a generator that many use refuses a
    contract in which the body of a link is an object."""
    for link in raw_schema["components"]["links"].values():
        if "x-request-body" in link:
            link["requestBody"] = link.pop("x-request-body")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Turns what fits the contract into what can be done: names of things that are there in place of drawn ones, for three
    requests of four; the second player in the free seat; whoever is to move makes the next ply, since a link can't add one."""
    if not positive(case):
        return
    with lock:
        requests_seen[0] += 1
        suit_query(case)
        suit_path(case)
        if players is not None:
            suit_player(case, name_of(case))


requests_seen = [0]
known = {}  # parameter -> values that were answered, the last one last


def is_game(document):
    return "board" in document and "table_id" in document


def is_table(document):
    return "seats" in document and "settings_version" in document


def learn(document):
    """Remembers the names of things in an answer."""
    found = {}
    if is_game(document):
        found = {"game_id": document["id"], "table_id": document["table_id"]}
    elif is_table(document):
        found = {"table_id": document["id"], "game_id": document.get("current_game_id"), "invite_code": document.get("invite_code")}
    elif "rated_games" in document and "record" in document:
        found = {"profile_id": document["id"]}
    for parameter, value in found.items():
        if value is not None:
            known.setdefault(parameter, {}).pop(value, None)
            known[parameter][value] = True


def suit_path(case):
    for parameter, value in dict(case.path_parameters or {}).items():
        values = known.get(parameter, {})
        if urllib.parse.unquote(str(value)) == f"{{{parameter}}}":  # out of /openapi.json, which Schemathesis reads ids in
            case.path_parameters[parameter] = next(iter(values), str(uuid.UUID(int=requests_seen[0])))
        elif requests_seen[0] % 4 and values and value not in values:
            case.path_parameters[parameter] = list(values)[-1 - requests_seen[0] % min(4, len(values))]


def suit_player(case, operation):
    often = requests_seen[0] % 8
    if operation == "openTable" and isinstance(case.body, dict) and often % 2 and not case.body.get("ranked"):
        case.body.setdefault("opponent", "cpu")
    elif operation == "takeSeat":
        table = case.path_parameters["table_id"]
        if table not in players.hosts and often:
            table = players.waiting() or table
        if table in players.hosts and often:
            host, document = players.hosts[table]
            case.path_parameters["table_id"] = table
            carry(case, 1 - host)
            case.body = {name: document[name] for name in ("invite_code", "settings_version") if name in document}
            case.media_type = "application/json"
    elif operation == "updateTable":
        table = players.waiting()
        if table is not None and often and isinstance(case.body, dict):
            host, document = players.hosts[table]
            case.path_parameters["table_id"] = table
            case.body["settings_version"] = document["settings_version"]
            carry(case, host)
    elif operation == "withdrawRematch":
        game = players.finished()
        if game is not None and often:
            case.path_parameters["table_id"] = game["table_id"]
            case.query = {"game_id": game["id"]}
            carry(case, players.seats[game["red"]["profile_id"]])
    elif operation == "agreeRematch":
        game = players.finished()
        if game is not None and often and isinstance(case.body, dict):
            case.path_parameters["table_id"] = game["table_id"]
            case.body = {"game_id": game["id"]}
            carry(case, players.seats[game[("red", "yellow")[often % 2]]["profile_id"]])
    elif operation in ("playMove", "requestHint"):
        game = players.games.get(case.path_parameters.get("game_id"))
        if (game is None or players.whose_turn(game) is None) and often:
            game = players.games.get(players.running())
        which = players.whose_turn(game) if game else None
        if which is None:
            return
        case.path_parameters["game_id"] = game["id"]
        carry(case, which)
        if operation == "playMove" and often and isinstance(case.body, dict):
            case.body["ply"] = game["ply"] + 1


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        answers[name_of(case), response.status_code] += 1
        if response.status_code == 409 and players is not None:
            problem = response.json()
            if "game" in problem:
                players.saw("", problem["game"])
        if not 200 <= response.status_code < 300:
            return
        if "json" in response.headers.get("content-type", [""])[0]:
            document = response.json()
            if document.get("next_cursor"):
                filters = {name: value for name, value in (case.query or {}).items() if name not in ("cursor", "limit", "around")}
                source = document["next_cursor"], case.path_parameters or {}, filters
                cursors.setdefault(case.operation.label, {})[document["next_cursor"]] = source
            learn(document)
            if players is not None:
                sent = (response.request.headers.get("Authorization") or "").removeprefix("Bearer ")
                players.saw(sent, document)
        if players is not None and name_of(case) in LAST_WORDS:
            players.recover()


# What may end the token that it is sent with.
LAST_WORDS = {"deleteMe", "revokeDevice", "revokeDevices"}


@schemathesis.deserializer(*media_types.YAML_MEDIA_TYPES)
def as_text(context, response):
    """The contract declares its text, not what YAML makes of it."""
    return response.text


# ---------------------------------------------------------------------------------------------------------------------
# What no portable schema can say. The checks stay on; what the contract says in words is taken out of the data.

cursors = {}  # operation -> cursor -> the request whose answer named it


def positive(case):
    return case.meta is None or case.meta.generation.mode.is_positive


def suit_query(case):
    """A cursor is opaque: only one that a list gave fits it, with the filters of its page and no player to lie around. And most
    waiting is left out: each takes a second of the gate."""
    query = dict(case.query or {})
    if "cursor" in query:
        answered = cursors.get(case.operation.label, {})
        source = answered.get(query["cursor"]) or next(iter(answered.values()), None)
        if source is None:
            del query["cursor"]
        else:
            cursor, path, filters = source
            limit = {"limit": query["limit"]} if "limit" in query else {}
            if path:
                case.path_parameters = dict(path)
            query = {**filters, **limit, "cursor": cursor}
    if "wait" in query and requests_seen[0] % 16:
        query["wait"] = 0
    if query != (case.query or {}):
        case.query = query


@schemathesis.hook
def filter_case(context, case):
    return fits_words(case.body) if positive(case) else not only_lenient(case)


MARKS, NAME, PILE = ("Mn", "Mc", "Me"), 32, 10
INVISIBLE = set("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def shows(text):
    """Whether something of a text can be seen."""
    return any(unicodedata.category(c)[0] in "LNPS" and c not in INVISIBLE for c in text)


def names(text):
    """Whether a text that fits the pattern of names is one: it shows something, piles no marks up, and is not too long. What
    this Python's Unicode doesn't know isn't tried."""
    kinds = [unicodedata.category(c) for c in text]
    piled = "m" * (PILE + 1) in "".join("m" if kind in MARKS else "." for kind in kinds)
    hidden = any(
        kind in ("Cf", "Cn", "Co", "Cs") and c not in "\u200c\u200d" and not "\U000e0020" <= c <= "\U000e007f"
        for c, kind in zip(text, kinds)
    )
    return shows(text) and not piled and not hidden and len(unicodedata.normalize("NFC", text).strip()) <= NAME


def fits_words(body):
    """Whether a body that fits the schema fits what the contract says in words of names and reasons."""
    if not isinstance(body, dict):
        return True
    for field in ("display_name", "device_name"):
        if isinstance(body.get(field), str) and not names(body[field]):
            return False
    if body.get("cpu_level") is not None and body.get("opponent") != "cpu":
        return False
    # Whether an extension holds what it may, and no part comes twice, takes the lists of BCP 47.
    if "locale" in body and not re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?", str(body["locale"])):
        return False
    reason = body.get("reason")
    return not isinstance(reason, str) or shows(reason) and not any(unicodedata.category(c) in ("Cn", "Co", "Cs") for c in reason)


# ---------------------------------------------------------------------------------------------------------------------
# Where the service is kinder than its contract, and says so there: what it understands is not negative data.


def without_nulls(value):
    """An optional field that is null is absent."""
    if isinstance(value, dict):
        return {name: without_nulls(field) for name, field in value.items() if field is not None}
    return value


def code(text):
    """A code with spaces and hyphens between, in small letters or capitals."""
    return re.sub("[ -]", "", text) if isinstance(text, str) else text


def locale(text):
    """A language tag in whatever case, with - or _."""
    return text.replace("_", "-") if isinstance(text, str) else text


def moment(text):
    """A time in every writing of RFC 3339: without seconds, +0000, small letters, a space for the plus."""
    if not isinstance(text, str):
        return text
    form = re.fullmatch(
        r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?([.,]\d+)?(?:([Zz])|([+ -])(\d\d):?(\d\d)?)", text, re.ASCII
    )
    if not form:
        return text
    day, minute, second, _, utc, sign, hours, minutes = form.groups()
    offset = "Z" if utc else f"{'+' if sign == ' ' else sign}{hours}:{minutes or '00'}"
    return f"{day}T{minute}{second or ':00'}{offset}"


KIND_BODY = {"invite_code": code, "code": code, "locale": locale}
KIND_QUERY = {"since": moment, "until": moment}
KIND_PATH = {"invite_code": code}


def strictly(values, kind):
    return {name: kind[name](value) if name in kind else value for name, value in values.items()}


def only_lenient(case):
    """Whether a negative case fits the contract once it is written strictly."""
    operation, kinder = case.operation, False
    for location, kind in ((ParameterLocation.PATH, KIND_PATH), (ParameterLocation.QUERY, KIND_QUERY), (ParameterLocation.HEADER, {})):
        sent = dict(case.get_container(location) or {})
        strict = strictly(sent, kind)
        kinder = kinder or strict != sent
        if case.meta.is_negative_at(location) and not operation.get_parameter_set(location).get_strict_validator().is_valid(strict):
            return False
    if isinstance(case.body, dict) and case.meta.is_negative_at(ParameterLocation.BODY):
        body = operation.get_body_for_media_type(case.media_type)
        strict = strictly(without_nulls(case.body), KIND_BODY)
        kinder = kinder or strict != case.body
        if body is None or not make_validator(body.optimized_schema, operation.schema.adapter.jsonschema_validator_cls).is_valid(strict):
            return False
    elif case.body is None and not any(body.is_required for body in operation.body):
        kinder = True  # no body at all
    elif case.meta.is_negative_at(ParameterLocation.BODY):
        return False
    return kinder
