//! A game through the client of progenitor.

#[allow(warnings, clippy::all)]
mod client {
    include!(env!("CLIENT"));
}

use client::types::{
    ColumnNumber, Game, OpenProfileRequest, OpenTableRequest, PlayMoveRequest, Problem, Side, TakeSeatRequest, VisibilityChoice,
};
use client::{ByteStream, Client, Error, ResponseValue};
use futures::TryStreamExt;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use std::num::NonZeroU32;
use uuid::Uuid;

type Answer<T> = Result<ResponseValue<T>, Error<ByteStream>>;

fn connect(url: &str, token: Option<&str>) -> Client {
    let mut headers = HeaderMap::new();
    if let Some(token) = token {
        headers.insert(AUTHORIZATION, format!("Bearer {token}").try_into().unwrap());
    }
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    Client::new_with_client(url, http)
}

async fn bytes(stream: ByteStream) -> Vec<u8> {
    let parts: Vec<_> = stream.into_inner().try_collect().await.unwrap();
    parts.concat()
}

// The generator reads no other failures than those of application/json: the rest is left as bytes.
async fn refused<T: std::fmt::Debug>(answer: Answer<T>, status: u16) -> Vec<u8> {
    match answer {
        Err(Error::ErrorResponse(refusal)) if refusal.status() == status => bytes(refusal.into_inner()).await,
        other => panic!("not refused with {status}: {other:?}"),
    }
}

async fn problem<T: std::fmt::Debug>(answer: Answer<T>, status: u16) -> Problem {
    let problem: Problem = serde_json::from_slice(&refused(answer, status).await).unwrap();
    assert_eq!(problem.status, i32::from(status));
    problem
}

async fn play(player: &Client, game: &Uuid, column: u32, ply: u32) -> Answer<Game> {
    let body = PlayMoveRequest { column: ColumnNumber(NonZeroU32::new(column).unwrap()), ply: NonZeroU32::new(ply).unwrap() };
    player.play_move(game, &body).await
}

async fn plain(url: &str) {
    let guest = connect(url, None);
    let red = guest.open_profile(None, &OpenProfileRequest::default()).await.unwrap();
    let red = connect(url, Some(&red.token));
    let request = OpenProfileRequest { display_name: Some("Ola".parse().unwrap()), ..Default::default() };
    let opened = guest.open_profile(None, &request).await.unwrap();
    let yellow = connect(url, Some(&opened.token));

    let request = OpenTableRequest { visibility: Some(VisibilityChoice::Private), ..Default::default() };
    let table = red.open_table(&request).await.unwrap();
    let code = table.invite_code.as_ref().unwrap();
    assert_eq!(yellow.get_invite(&code.parse().unwrap()).await.unwrap().id, table.id);
    let request = TakeSeatRequest { invite_code: Some(code.parse().unwrap()), ..Default::default() };
    let game = &yellow.take_seat(&table.id, &request).await.unwrap().current_game_id.unwrap();

    assert_eq!(play(&red, game, 1, 1).await.unwrap().ply, 1);
    assert_eq!(play(&red, game, 1, 1).await.unwrap().ply, 1);
    let stale = problem(play(&yellow, game, 3, 1).await, 409).await;
    assert_eq!((stale.code.as_str(), stale.game.unwrap().ply), ("stale_ply", 1));
    for ply in 2..=6 {
        let player = if ply % 2 == 1 { &red } else { &yellow };
        assert_eq!(play(player, game, 1, ply).await.unwrap().moves.len(), ply as usize);
    }
    assert_eq!(problem(play(&red, game, 1, 7).await, 422).await.code.as_str(), "column_full");
    let invalid = problem(play(&red, game, 9, 7).await, 400).await;
    assert_eq!(invalid.errors[0].pointer.as_str(), "/column");

    let polled = red.get_game(game, Some(1), Some(25), None).await.unwrap();
    let again = red.get_game(game, Some(polled.version.get().cast_signed()), Some(1), None).await.unwrap();
    assert_eq!(again.ply, 6);
    let tag = polled.headers()["ETag"].to_str().unwrap().parse().unwrap();
    match red.get_game(game, None, None, Some(&tag)).await {
        Err(Error::UnexpectedResponse(unchanged)) => assert_eq!(unchanged.status(), 304),
        other => panic!("not unchanged: {other:?}"),
    }

    for (ply, column) in (7..).zip([2, 7, 3, 7, 4]) {
        let player = if ply % 2 == 1 { &red } else { &yellow };
        play(player, game, column, ply).await.unwrap();
    }
    let over = yellow.get_game(game, None, None, None).await.unwrap();
    assert_eq!((over.status.as_str(), over.result.as_ref().unwrap().winner), ("finished", Some(Side::Red)));

    let picture = yellow.get_picture(game, None, None, None, None).await.unwrap();
    assert!(String::from_utf8(bytes(picture.into_inner()).await).unwrap().contains("<svg"));
    let games = yellow.list_profile_games(&opened.profile.id, None, None, None, None, None).await.unwrap();
    assert_eq!(games.items[0].game_id, *game);
    assert!(red.list_problems(None).await.unwrap().items.iter().any(|kind| kind.code.as_str() == "stale_ply"));
    assert_eq!(problem(connect(url, Some("fir_wrong")).get_me().await, 401).await.code.as_str(), "unauthenticated");
    assert_eq!(yellow.leave_seat(&table.id).await.unwrap().status(), 204);
}

async fn strange(url: &str) {
    let guest = connect(url, None);
    let red = guest.open_profile(None, &OpenProfileRequest::default()).await.unwrap();
    let red = connect(url, Some(&red.token));
    let opened = guest.open_profile(None, &OpenProfileRequest::default()).await.unwrap();
    let yellow = connect(url, Some(&opened.token));
    let table = red.open_table(&OpenTableRequest::default()).await.unwrap();
    let code = table.invite_code.as_ref().unwrap();
    let request = TakeSeatRequest { invite_code: Some(code.parse().unwrap()), ..Default::default() };
    let game = &yellow.take_seat(&table.id, &request).await.unwrap().current_game_id.unwrap();
    play(&red, game, 4, 1).await.unwrap();
    assert_eq!(problem(play(&yellow, game, 3, 1).await, 409).await.game.unwrap().ply, 1);
    assert_eq!(red.get_game(game, None, None, None).await.unwrap().id, *game);
    yellow.resign_game(game).await.unwrap();
    assert_eq!(red.get_analysis(game).await.unwrap().plies.len(), 1);
    yellow.list_profile_games(&opened.profile.id, None, None, None, None, None).await.unwrap();
    red.list_problems(None).await.unwrap();
    problem(connect(url, Some("fir_wrong")).get_me().await, 401).await;
    assert_eq!(red.leave_seat(&table.id).await.unwrap().status(), 204);
    assert_eq!(yellow.get_table(&table.id, None, None, None).await.unwrap().id, table.id);

    refused(red.get_service(None).await, 502).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    plain(&std::env::var("PLAIN_URL").unwrap()).await;
    strange(&std::env::var("STRANGE_URL").unwrap()).await;
}
