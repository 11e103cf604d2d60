using Polyjuice.Versions;

namespace Polyjuice.Agents;

/// <summary>What the agent keeps with a transaction.</summary>
internal static class TransactionAgents
{
    extension(LocalTransaction transaction)
    {
        /// <summary>The agent's side, at its agent's node only.</summary>
        public AgentTransaction? Agent
        {
            get => (AgentTransaction?)transaction.AgentSide;
            set => transaction.AgentSide = value;
        }
    }
}
