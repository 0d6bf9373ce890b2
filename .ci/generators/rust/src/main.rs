//! A game through the client of openapi-generator (rust, reqwest).

use client::apis::configuration::Configuration;
use client::apis::{Error, games_api, insights_api, invites_api, me_api, profiles_api, seats_api, service_api, tables_api};
use client::models::{Game, OpenProfileRequest, OpenTableRequest, PlayMoveRequest, Problem, Side, TakeSeatRequest, VisibilityChoice};
use std::fmt::Debug;

fn connect(url: &str, token: Option<&str>) -> Configuration {
    Configuration {
        base_path: url.to_owned(),
        bearer_access_token: token.map(str::to_owned),
        ..Configuration::new()
    }
}

type Move = Result<Game, Error<games_api::PlayMoveError>>;

async fn play(player: &Configuration, game: &str, column: i32, ply: i32) -> Move {
    games_api::play_move(player, game, PlayMoveRequest::new(column, ply)).await
}

fn refused<T: Debug, E: Debug>(result: Result<T, Error<E>>, status: u16) -> Option<E> {
    match result {
        Err(Error::ResponseError(refusal)) if refusal.status == status => refusal.entity,
        other => panic!("not refused with {status}: {other:?}"),
    }
}

fn move_problem(result: Move, status: u16) -> Problem {
    match refused(result, status) {
        Some(games_api::PlayMoveError::Status4XX(problem)) if problem.status == i32::from(status) => problem,
        other => panic!("no problem: {other:?}"),
    }
}

async fn plain(url: &str) {
    let guest = connect(url, None);
    let red = profiles_api::open_profile(&guest, None, None).await.unwrap();
    let red = connect(url, Some(&red.token));
    let request = OpenProfileRequest { display_name: Some("Ola".to_owned()), ..OpenProfileRequest::new() };
    let opened = profiles_api::open_profile(&guest, None, Some(request)).await.unwrap();
    let yellow = connect(url, Some(&opened.token));

    let request = OpenTableRequest { visibility: Some(VisibilityChoice::Private), ..OpenTableRequest::new() };
    let table = tables_api::open_table(&red, Some(request)).await.unwrap();
    let id = table.id.to_string();
    let code = table.invite_code.unwrap();
    assert_eq!(invites_api::get_invite(&yellow, &code).await.unwrap().id, table.id);
    let request = TakeSeatRequest { invite_code: Some(code), ..TakeSeatRequest::new() };
    let game_id = seats_api::take_seat(&yellow, &id, Some(request)).await.unwrap().current_game_id.unwrap();
    let game = &game_id.to_string();

    assert_eq!(play(&red, game, 1, 1).await.unwrap().ply, 1);
    assert_eq!(play(&red, game, 1, 1).await.unwrap().ply, 1);
    let stale = move_problem(play(&yellow, game, 3, 1).await, 409);
    assert_eq!((stale.code.as_str(), stale.game.unwrap().ply), ("stale_ply", 1));
    for ply in 2..=6 {
        let player = if ply % 2 == 1 { &red } else { &yellow };
        assert_eq!(play(player, game, 1, ply).await.unwrap().ply, ply);
    }
    assert_eq!(move_problem(play(&red, game, 1, 7).await, 422).code, "column_full");
    let invalid = move_problem(play(&red, game, 9, 7).await, 400);
    assert_eq!(invalid.errors.unwrap()[0].pointer, "/column");

    let polled = games_api::get_game(&red, game, Some(1), Some(25), None).await.unwrap();
    let polled = games_api::get_game(&red, game, Some(polled.version), Some(1), None).await.unwrap();
    assert_eq!(polled.ply, 6);

    for (ply, column) in (7..).zip([2, 7, 3, 7, 4]) {
        let player = if ply % 2 == 1 { &red } else { &yellow };
        play(player, game, column, ply).await.unwrap();
    }
    let over = games_api::get_game(&yellow, game, None, None, None).await.unwrap();
    assert_eq!((over.status.as_str(), over.result.unwrap().winner), ("finished", Some(Side::Red)));

    let picture = games_api::get_picture(&yellow, game, None, None, None, None).await.unwrap();
    assert!(picture.text().await.unwrap().contains("<svg"));
    let profile = opened.profile.id.to_string();
    let games = profiles_api::list_profile_games(&yellow, &profile, None, None, None, None, None).await.unwrap();
    assert_eq!(games.items[0].game_id, game_id);
    let problems = service_api::list_problems(&red, None).await.unwrap();
    assert!(problems.items.iter().any(|kind| kind.code == "stale_ply"));
    match refused(me_api::get_me(&connect(url, Some("fir_wrong"))).await, 401) {
        Some(me_api::GetMeError::Status4XX(problem)) => assert_eq!(problem.code, "unauthenticated"),
        other => panic!("no problem: {other:?}"),
    }
    seats_api::leave_seat(&yellow, &id).await.unwrap();
}

async fn strange(url: &str) {
    let guest = connect(url, None);
    let red = profiles_api::open_profile(&guest, None, None).await.unwrap();
    let red = connect(url, Some(&red.token));
    let opened = profiles_api::open_profile(&guest, None, Some(OpenProfileRequest::new())).await.unwrap();
    let yellow = connect(url, Some(&opened.token));
    let table = tables_api::open_table(&red, Some(OpenTableRequest::new())).await.unwrap();
    let id = &table.id.to_string();
    let request = TakeSeatRequest { invite_code: table.invite_code, ..TakeSeatRequest::new() };
    let game = &seats_api::take_seat(&yellow, id, Some(request)).await.unwrap().current_game_id.unwrap().to_string();
    play(&red, game, 4, 1).await.unwrap();
    assert_eq!(move_problem(play(&yellow, game, 3, 1).await, 409).game.unwrap().ply, 1);
    games_api::get_game(&red, game, None, None, None).await.unwrap();
    games_api::resign_game(&yellow, game).await.unwrap();
    assert_eq!(insights_api::get_analysis(&red, game).await.unwrap().plies.len(), 1);
    let profile = opened.profile.id.to_string();
    profiles_api::list_profile_games(&yellow, &profile, None, None, None, None, None).await.unwrap();
    service_api::list_problems(&red, None).await.unwrap();
    assert!(refused(me_api::get_me(&connect(url, Some("fir_wrong"))).await, 401).is_some());
    seats_api::leave_seat(&red, id).await.unwrap();
    assert_eq!(tables_api::get_table(&yellow, id, None, None, None).await.unwrap().id, table.id);

    refused(service_api::get_service(&red, None).await, 502);
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    plain(&std::env::var("PLAIN_URL").unwrap()).await;
    strange(&std::env::var("STRANGE_URL").unwrap()).await;
}
