// Uses the client from oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	svc "example.test/client/client"
)

func step(name string, run func() error) {
	if err := run(); err != nil {
		fmt.Printf("failed: %s: %.300s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	} else {
		fmt.Printf("ok: %s\n", name)
	}
}

func main() {
	group := os.Getenv("SVC_GROUP_ID")
	ctx := context.Background()
	client, err := svc.NewClientWithResponses(os.Getenv("SVC_BASE_URL"), svc.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			// The generated client doesn't send an Accept header.
			request.Header.Set("Accept", os.Getenv("SVC_MEDIA_TYPE"))
			request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_TOKEN"))
			return nil
		}))
	if err != nil {
		panic(err)
	}

	step("list", func() error {
		response, err := client.ListAlertConfigsWithResponse(ctx, group, nil)
		if err == nil && (response.ApplicationvndSvc20230101JSON200 == nil || response.ApplicationvndSvc20230101JSON200.Results[0].Id == nil) {
			return fmt.Errorf("unexpected response %s", response.Body)
		}
		return err
	})
	step("create and delete", func() error {
		email := "oncall@lindgren.example"
		var notification svc.Notification
		if err := notification.FromEmailNotification(svc.EmailNotification{TypeName: "EMAIL", EmailAddress: &email}); err != nil {
			return err
		}
		request := svc.AlertConfigRequest{EventTypeName: "HOST_DOWN", Notifications: []svc.Notification{notification}}
		created, err := client.CreateAlertConfigWithApplicationVndSvc20230101PlusJSONBodyWithResponse(ctx, group, nil, request)
		if err != nil {
			return err
		}
		if created.ApplicationvndSvc20230101JSON200 == nil {
			return fmt.Errorf("unexpected response %s", created.Body)
		}
		kind, err := created.ApplicationvndSvc20230101JSON200.Notifications[0].ValueByDiscriminator()
		if err != nil {
			return err
		}
		if _, ok := kind.(svc.EmailNotification); !ok {
			return fmt.Errorf("not an email notification: %T", kind)
		}
		deleted, err := client.DeleteAlertConfigWithResponse(ctx, group, *created.ApplicationvndSvc20230101JSON200.Id, nil)
		if err == nil && deleted.StatusCode() != 204 {
			return fmt.Errorf("unexpected status %d", deleted.StatusCode())
		}
		return err
	})
	step("snapshot", func() error {
		description, days := "Before the release", int32(7)
		request := svc.SnapshotRequest{Description: &description, RetentionInDays: &days}
		response, err := client.TakeSnapshotWithApplicationVndSvc20230101PlusJSONBodyWithResponse(ctx, group, os.Getenv("SVC_CLUSTER"), nil, request)
		if err == nil && response.ApplicationvndSvc20230101JSON200 == nil {
			return fmt.Errorf("unexpected response %s", response.Body)
		}
		return err
	})
	step("typed 404", func() error {
		response, err := client.GetAlertWithResponse(ctx, group, os.Getenv("SVC_MISSING_ID"), nil)
		if err == nil && (response.JSON404 == nil || response.JSON404.ErrorCode != "RESOURCE_NOT_FOUND") {
			return fmt.Errorf("unexpected response %s", response.Body)
		}
		return err
	})
}
