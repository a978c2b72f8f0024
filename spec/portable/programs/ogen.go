// Uses the client from ogen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	svc "example.test/client/client"
)

type credentials struct{}

func (credentials) ServiceAccount(context.Context, svc.OperationName) (svc.ServiceAccount, error) {
	return svc.ServiceAccount{Token: os.Getenv("SVC_TOKEN")}, nil
}

func (credentials) ClientCredentials(context.Context, svc.OperationName) (svc.ClientCredentials, error) {
	return svc.ClientCredentials{}, nil
}

// The generated client doesn't send an Accept header.
type versioned struct{}

func (versioned) Do(request *http.Request) (*http.Response, error) {
	request.Header.Set("Accept", os.Getenv("SVC_MEDIA_TYPE"))
	return http.DefaultClient.Do(request)
}

func step(name string, run func() error) {
	if err := run(); err != nil {
		fmt.Printf("failed: %s: %.300s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	} else {
		fmt.Printf("ok: %s\n", name)
	}
}

func main() {
	group := svc.Identifier(os.Getenv("SVC_GROUP_ID"))
	ctx := context.Background()
	client, err := svc.NewClient(os.Getenv("SVC_BASE_URL"), credentials{}, svc.WithClient(versioned{}))
	if err != nil {
		panic(err)
	}

	step("list", func() error {
		response, err := client.ListAlertConfigs(ctx, svc.ListAlertConfigsParams{GroupId: group})
		if page, ok := response.(*svc.PaginatedAlertConfigsHeaders); err == nil && (!ok || page.Response.Results[0].ID == "") {
			return fmt.Errorf("unexpected response %v", response)
		}
		return err
	})
	step("create and delete", func() error {
		email := svc.EmailNotification{TypeName: "EMAIL", EmailAddress: svc.NewOptString("oncall@lindgren.example")}
		request := svc.AlertConfigRequest{
			EventTypeName: "HOST_DOWN",
			Notifications: svc.Notifications{svc.NewEmailNotificationNotification(email)},
		}
		response, err := client.CreateAlertConfig(ctx, &request, svc.CreateAlertConfigParams{GroupId: group})
		if err != nil {
			return err
		}
		created, ok := response.(*svc.AlertConfigHeaders)
		if !ok || !created.Response.Notifications[0].IsEmailNotification() {
			return fmt.Errorf("unexpected response %v", response)
		}
		deleted, err := client.DeleteAlertConfig(ctx, svc.DeleteAlertConfigParams{GroupId: group, AlertConfigId: created.Response.ID})
		if _, ok := deleted.(*svc.DeleteAlertConfigNoContent); err == nil && !ok {
			return fmt.Errorf("unexpected response %v", deleted)
		}
		return err
	})
	step("snapshot", func() error {
		request := svc.SnapshotRequest{Description: svc.NewOptSnapshotDescription("Before the release"), RetentionInDays: svc.NewOptInt32(7)}
		response, err := client.TakeSnapshot(ctx, &request, svc.TakeSnapshotParams{GroupId: group, ClusterName: svc.ClusterName(os.Getenv("SVC_CLUSTER"))})
		if _, ok := response.(*svc.ReplicaSetSnapshotHeaders); err == nil && !ok {
			return fmt.Errorf("unexpected response %v", response)
		}
		return err
	})
	step("typed 404", func() error {
		response, err := client.GetAlert(ctx, svc.GetAlertParams{GroupId: group, AlertId: svc.Identifier(os.Getenv("SVC_MISSING_ID"))})
		if failure, ok := response.(interface{ GetResponse() svc.ApiError }); err == nil && (!ok || failure.GetResponse().ErrorCode != "RESOURCE_NOT_FOUND") {
			return fmt.Errorf("unexpected response %v", response)
		}
		return err
	})
}
