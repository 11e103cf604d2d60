
namespace Polyjuice.Orleans.Tests.GrainCode;

public interface IRestlessGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    Task AddAndLeave(string account);

    [Transaction(TransactionOption.Create)]
    Task CatchAndWait(string account, TimeSpan time);
}

/// <summary>
/// Goes away as soon as nothing of a transaction runs in it, its
/// commit or the pause before its next attempt notwithstanding.
/// </summary>
public sealed class RestlessGrain(TimeProvider time) : Grain, IRestlessGrain
{
    public Task AddAndLeave(string account)
    {
        this.DeactivateOnIdle();
        return GrainFactory.GetGrain<IWallet>(account).AddJoined(1);
    }

    public async Task CatchAndWait(string account, TimeSpan duration)
    {
        try
        {
            await GrainFactory.GetGrain<IWallet>(account).AddJoined(-1_000);
        }
        catch (InvalidOperationException)
        {
            // The transaction is doomed, and goes on to wait.
        }

        await Task.Delay(duration, time);
    }
}
