global using Orleans;
global using Orleans.Transactions.TestKit;
global using Polyjuice.Orleans.Conformance.Clusters;
global using Xunit.Abstractions;
global using Kinds = Orleans.Transactions.TestKit.TransactionTestConstants;
