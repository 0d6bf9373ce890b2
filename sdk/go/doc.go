// Package fourinarow plays Four in a Row over HTTP: it follows games, sends moves until they are known, and keeps a player's token.
//
//	four, err := fourinarow.New("https://four.example", fourinarow.Tokens(fourinarow.FileTokens("tokens.json")))
//	me, err := four.SignIn(ctx, fourinarow.Guest{DisplayName: "Ola"})
//	table, err := four.Tables.Open(ctx, client.OpenTableRequest{}) // private; table.InviteCode is for the friend
//	for game, err := range four.FollowTable(ctx, table.ID) {
//		if err != nil {
//			return err
//		}
//		if game.CanMove {
//			_, err = four.Move(ctx, game, choose(game))
//		}
//	}
//
// Every failure is a *Problem. Resources are those of package client, which is generated from the contract; what has no method
// here is asked for through Client.API, with the same token, repeats and timeouts.
package fourinarow
