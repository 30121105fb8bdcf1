package main

import (
	"context"
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reviews asks for the permissions of an administrator.
func reviews(ctx context.Context, s *stage) error {
	access, options := s.client.AuthorizationV1(), metav1.CreateOptions{}
	pods := &authorizationv1.ResourceAttributes{Namespace: s.namespace, Verb: "list", Resource: "pods"}
	own := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: pods}}
	s.show("own access")(access.SelfSubjectAccessReviews().Create(ctx, own, options))
	path := &authorizationv1.NonResourceAttributes{Path: "/healthz", Verb: "get"}
	admin := authorizationv1.SubjectAccessReviewSpec{User: "a", Groups: []string{"system:masters"}}
	of := admin
	of.NonResourceAttributes = path
	s.show("access of a user")(access.SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{Spec: of}, options))
	in := admin
	in.ResourceAttributes = pods
	local := &authorizationv1.LocalSubjectAccessReview{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace}, Spec: in}
	s.show("access in a namespace")(access.LocalSubjectAccessReviews(s.namespace).Create(ctx, local, options))
	rules := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: s.namespace}}
	found, err := access.SelfSubjectRulesReviews().Create(ctx, rules, options)
	if err != nil {
		return err
	}
	s.show("own rules allow everything")(slices.ContainsFunc(found.Status.ResourceRules, allowsEverything), nil)
	self, err := s.client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, options)
	if err != nil {
		return err
	}
	s.show("own groups")(self.Status.UserInfo.Groups, nil)
	return nil
}

func allowsEverything(rule authorizationv1.ResourceRule) bool {
	all := func(values []string) bool { return slices.Contains(values, "*") }
	return all(rule.Verbs) && all(rule.APIGroups) && all(rule.Resources)
}
