using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Runtime;
using Orleans.Transactions;
using Polyjuice.Storage;
using Polyjuice.Testing;
using Smallbank.Grains;

// A bank on the files of a folder: says what it finds there, and then each transfer that it was told has committed,
// until somebody kills it. Arguments: folder, clients.
const int Accounts = 24;
const int HotAccounts = 4;
const long Opening = 1_000_000;

var folder = args[0];
var clients = int.Parse(args[1], CultureInfo.InvariantCulture);
using var console = Console.OpenStandardOutput();
var gate = new Lock();

// Small segments and a small tail, so that segments end, checkpoints are made and logs are trimmed all the time.
var files = new FileLogOptions { Directory = folder, NewPartitions = 4, SegmentBytes = 64 << 10 };
await using var store = await FileLogStore.OpenAsync(files, NullLogger.Instance, CancellationToken.None);
Say("opened");
await using var cluster = await PolyjuiceTestCluster.StartAsync(options =>
{
    options.Logs = store;
    options.Policy = "dirty-public";
    options.ConfigureEngine = engine => engine.CheckpointBytes = 32 << 10;
});
for (var account = 0; account < Accounts; account++)
{
    // The opening is a transaction: it happened or it did not.
    if (await Account(account).Balance() == 0) await Account(account).Open(Opening, 0);
}

long total = 0;
for (var account = 0; account < Accounts; account++)
{
    var balance = await Account(account).Balance();
    total += balance - Opening;
    if (account >= HotAccounts) Say($"found {account - HotAccounts} {balance - Opening}");
}

Say($"total {total}");
await Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => TransferAsync(client))));

// From a hot account into the client's own, which therefore counts them.
async Task TransferAsync(int client)
{
    for (var n = 0; ; n++)
    {
        try
        {
            if (await Account((n + client) % HotAccounts).SendPayment(HotAccounts + client, 1))
                Say($"acknowledged {client}");
        }
        catch (Exception exception)
            when (exception is OrleansException or OrleansTransactionException or TimeoutException)
        {
            if (exception is not OrleansTransactionAbortedException || exception is OrleansTransactionInDoubtException)
                Say($"uncertain {client}");
        }
    }
}

IAccountGrain Account(long account) => cluster.Grains.GetGrain<IAccountGrain>(account);

// One write per line, so that what was said was said when the process dies.
void Say(string line)
{
    var bytes = System.Text.Encoding.UTF8.GetBytes(line + "\n");
    lock (gate)
    {
        console.Write(bytes);
        console.Flush();
    }
}
